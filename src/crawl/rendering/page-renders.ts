/**
 * Pages that go through a browser before they are read, and those that wait until it is decided whether they do
 * (render-choice.ts).
 *
 * Life of a page here: rendered at once; or read plain first, then kept, rendered, or waiting for its host to be
 * decided. The rendered document is read like any page.
 */
import type { Answer } from "../../fetch/index.ts";
import type { RenderedPage, Rendering } from "../../render/index.ts";
import { isHtml } from "../../web/index.ts";
import type { PageTask } from "../dispatcher.ts";
import type { EffectQueue } from "../machine.ts";
import type { PageContent, RenderedParts } from "../reader/contract.ts";
import { RenderChoice, type RenderedContent, type RenderMode } from "./render-choice.ts";

/** A page whose response was received. */
export interface FetchedPage {
  readonly task: PageTask;
  readonly answer: Answer;
  /** When it was received. */
  readonly wallMs: number;
}

/** The end of rendering a page, complete or not. */
export interface RenderEnd {
  readonly page: FetchedPage;
  /** Null if its plain HTML was not read. */
  readonly plain: PageContent | null;
  /** Null if rendering failed. */
  readonly rendered: { readonly answer: Answer; readonly parts: RenderedParts } | null;
  /** It may have more content and links than this. */
  readonly isIncomplete: boolean;
  /** Received for it, besides its own response. */
  readonly bytes: number;
}

interface Render {
  readonly page: FetchedPage;
  readonly plain: PageContent | null;
  isIncomplete: boolean;
  bytes: number;
}

/** Beyond these, no further pages are requested. */
const COUNT_MAX = 64;
const BYTES_MAX = 64 * 2 ** 20;
/** Hosts that get the notice that their pages look script-made. */
const NOTICES_MAX = 10;

export class PageRenders {
  readonly #mode: RenderMode;
  readonly #choice: RenderChoice;
  readonly #effects: EffectQueue;
  readonly #renders = new Map<number, Render>();
  /** By host. */
  readonly #undecided = new Map<string, { readonly page: FetchedPage; readonly plain: PageContent }[]>();
  readonly #noticed = new Set<string>();
  #waiting = 0;
  #bodyBytes = 0;
  #resourceBytes = 0;
  #numbered = 0;

  constructor(mode: RenderMode, effects: EffectQueue) {
    this.#mode = mode;
    this.#choice = new RenderChoice(mode);
    this.#effects = effects;
  }

  get count(): number {
    return this.#renders.size + this.#waiting;
  }

  get isFull(): boolean {
    return this.count >= COUNT_MAX || this.#bodyBytes >= BYTES_MAX;
  }

  /** Received for pages that are not finished, besides their own responses. */
  get bytes(): number {
    return this.#resourceBytes;
  }

  /** The page that is being rendered; undefined if it is not any more. */
  taskOf(render: number): PageTask | undefined {
    return this.#renders.get(render)?.page.task;
  }

  received(render: number, bytes: number): void {
    const known = this.#renders.get(render);
    if (known === undefined) return;
    known.bytes += bytes;
    this.#resourceBytes += bytes;
  }

  /** The page is finished, and its bytes count as its own. */
  finished({ bytes }: RenderEnd): void {
    this.#resourceBytes -= bytes;
  }

  incomplete(render: number): void {
    const known = this.#renders.get(render);
    if (known !== undefined) known.isIncomplete = true;
  }

  /** Renders a page at once; false if its plain HTML must be read first. */
  accept(page: FetchedPage): boolean {
    if (!isRenderable(page.answer) || !this.#choice.rendersAtOnce(page.task.host.name)) return false;
    this.#start(page, null);
    return true;
  }

  /** Renders a page whose plain HTML was read, or has it wait; false if the plain HTML is final. */
  acceptRead(page: FetchedPage, plain: PageContent): boolean {
    const { task, answer } = page;
    const host = task.host.name;
    if (this.#mode === "never" && plain.looksScriptMade) this.#notice(page);
    if (!isRenderable(answer)) return false;
    const choice = this.#choice.of(host, plain);
    if (choice === "keep") return false;
    if (choice === "render") this.#start(page, plain);
    else {
      const others = this.#undecided.get(host);
      if (others === undefined) this.#undecided.set(host, [{ page, plain }]);
      else others.push({ page, plain });
      this.#waiting++;
      this.#bodyBytes += answer.body.length;
    }
    return true;
  }

  /** Undefined for a page that is not awaited. */
  ended(id: number, rendering: Rendering): RenderEnd | undefined {
    const render = this.#renders.get(id);
    if (render === undefined) return undefined;
    this.#renders.delete(id);
    const { page, plain, bytes } = render;
    this.#bodyBytes -= page.answer.body.length;
    if (rendering.kind === "failed") return { page, plain, bytes, rendered: null, isIncomplete: true };
    const rendered = { answer: answerOf(page.answer, rendering), parts: partsOf(rendering) };
    return { page, plain, bytes, rendered, isIncomplete: render.isIncomplete || rendering.isCut };
  }

  /** Compares a page as plain HTML and rendered, null if that failed. Returns pages whose plain HTML is now final. */
  compare(
    { task, wallMs }: FetchedPage,
    plain: PageContent | null,
    rendered: RenderedContent | null,
  ): { readonly page: FetchedPage; readonly plain: PageContent }[] {
    const host = task.host.name;
    if (plain === null || !this.#choice.compared(host, plain, rendered)) return [];
    const isRendered = this.#choice.isRendered(host) === true;
    this.#effects.emit({ name: "render-decided", atMs: wallMs, host, isRendered, url: task.text });
    const waited = this.#undecided.get(host) ?? [];
    this.#undecided.delete(host);
    this.#waiting -= waited.length;
    for (const each of waited) this.#bodyBytes -= each.page.answer.body.length;
    return waited.filter((each) => !this.acceptRead(each.page, each.plain));
  }

  #start(page: FetchedPage, plain: PageContent | null): void {
    const id = this.#numbered++;
    const { task, answer } = page;
    this.#renders.set(id, { page, plain, isIncomplete: false, bytes: 0 });
    this.#bodyBytes += answer.body.length;
    this.#effects.push({ kind: "render", id, job: { url: task.text, host: task.host.name, answer } });
  }

  #notice({ task, wallMs }: FetchedPage): void {
    const host = task.host.name;
    if (this.#noticed.has(host) || this.#noticed.size >= NOTICES_MAX) return;
    this.#noticed.add(host);
    this.#effects.emit({ name: "script-made", atMs: wallMs, host, url: task.text });
  }
}

/** What was cut off is no document. */
function isRenderable({ headers, body, truncated }: Answer): boolean {
  return !truncated && isHtml(headers["content-type"] ?? null, body);
}

function answerOf(plain: Answer, { html, contentType }: RenderedPage): Answer {
  const headers = { ...plain.headers, "content-type": `${contentType}; charset=utf-8` };
  return { ...plain, headers, body: new TextEncoder().encode(html) };
}

function partsOf({ documentUrl, encoding, links }: RenderedPage): RenderedParts {
  return { documentUrl, encoding: encoding.toLowerCase(), links };
}
