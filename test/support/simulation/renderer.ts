/**
 * A renderer without a browser. A page wants what it names as `data-script`, `data-style` and `data-fetch`, all at
 * once; data that comes is shown after what the page has. Pages with `data-fails` fail; some are slow.
 */
import type { Timers } from "../../../src/base/index.ts";
import type { Answer } from "../../../src/fetch/index.ts";
import type { Renderer, RenderJob, RenderListener, ResourceUse } from "../../../src/render/index.ts";

const USES: Readonly<Record<string, ResourceUse>> = { script: "script", style: "style", fetch: "data" };

export class SimulatedRenderer implements Renderer {
  /** The pages, in order. */
  readonly rendered: string[] = [];
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  render(job: RenderJob, { want, done }: RenderListener): void {
    this.rendered.push(job.url);
    const html = textOf(job.answer);
    const wishes = [...html.matchAll(/data-(script|style|fetch)="([^"]*)"/g)];
    const shown: string[] = wishes.map(() => "");
    let left = wishes.length;
    const finish = (): void => {
      if (left > 0) return;
      this.#timers.after(html.length % 700, () => done(renderingOf(job.url, html, shown.join(""))));
    };
    wishes.forEach(([, kind, reference], k) => {
      want({ url: new URL(reference, job.url).href, use: USES[kind] }, (answer) => {
        left--;
        if (kind === "fetch" && answer?.status === 200) shown[k] = textOf(answer);
        finish();
      });
    });
    finish();
  }

  async close(): Promise<void> {}
}

function renderingOf(url: string, html: string, shown: string): Parameters<RenderListener["done"]>[0] {
  if (html.includes("data-fails")) return { kind: "failed", reason: "hung" };
  return {
    kind: "rendered",
    html: html + shown,
    documentUrl: url,
    encoding: "UTF-8",
    contentType: "text/html",
    links: [],
    isCut: html.includes("data-cut"),
  };
}

function textOf({ body }: Answer): string {
  return new TextDecoder().decode(body);
}
