/**
 * Which pages are rendered. With `always`, all of them. With `auto`, this is decided per host by comparing samples:
 * the first pages are read plain and rendered. If a rendered page has a link that the plain one lacks, or content where
 * the plain one has none, all further pages of the host are rendered. If not, one page in many is still compared, and
 * whatever has no content is rendered. One difference is enough, at any time, for the rest of the run.
 *
 * Pages received before the decision wait for it.
 */
import type { PageContent } from "../reader/contract.ts";
import { LinkKind } from "../reader/contract.ts";

export type RenderMode = "never" | "auto" | "always";

/** Settings that a program has kept since version 0.1.0 lack it. */
export function renderModeOf({ render }: { readonly render?: RenderMode }): RenderMode {
  return render ?? "never";
}

/** What is done with a page whose plain HTML was read. */
export type Choice = "render" | "keep" | "wait";

export interface RenderedContent {
  readonly content: PageContent;
  /** It may lack content and links: then being equal to the plain page proves nothing. */
  readonly isIncomplete: boolean;
}

/** Samples before a host is judged, and pages per sample afterwards. */
const FIRST_SAMPLES = 3;
const PAGES_PER_SAMPLE = 40;

class HostChoice {
  /** Undefined until it is decided. */
  isRendered: boolean | undefined;
  samples = 0;
  compared = 0;
  succeeded = 0;
  pages = 0;
}

export class RenderChoice {
  readonly #mode: RenderMode;
  readonly #hosts = new Map<string, HostChoice>();

  constructor(mode: RenderMode) {
    this.#mode = mode;
  }

  /** Whether the plain HTML of the next page need not be read. */
  rendersAtOnce(host: string): boolean {
    return this.#mode === "always" || (this.#mode === "auto" && this.#hosts.get(host)?.isRendered === true);
  }

  of(host: string, plain: Pick<PageContent, "looksScriptMade">): Choice {
    if (this.#mode === "never") return "keep";
    if (this.rendersAtOnce(host)) return "render";
    const known = this.#hostChoice(host);
    if (known.isRendered === undefined) {
      if (known.samples >= FIRST_SAMPLES) return "wait";
      known.samples++;
      return "render";
    }
    known.pages++;
    return plain.looksScriptMade || known.pages % PAGES_PER_SAMPLE === 0 ? "render" : "keep";
  }

  /**
   * A page was rendered whose plain HTML was read too; null if that failed, which proves nothing. Returns true if
   * this has decided about its host, or changed the decision.
   */
  compared(host: string, plain: PageContent, rendered: RenderedContent | null): boolean {
    const known = this.#hostChoice(host);
    const before = known.isRendered;
    known.compared++;
    if (rendered !== null && !rendered.isIncomplete) known.succeeded++;
    const isOther = rendered !== null && differs(plain, rendered.content);
    if (isOther) known.isRendered = true;
    // Where none could be rendered, the plain pages may lack anything.
    else if (before === undefined && known.compared >= FIRST_SAMPLES) known.isRendered = known.succeeded === 0;
    return before !== known.isRendered;
  }

  isRendered(host: string): boolean | undefined {
    return this.#hosts.get(host)?.isRendered;
  }

  #hostChoice(host: string): HostChoice {
    let known = this.#hosts.get(host);
    if (known === undefined) this.#hosts.set(host, (known = new HostChoice()));
    return known;
  }
}

/** Whether rendering shows what the plain HTML does not. Links that are not followed do not matter. */
function differs(plain: PageContent, rendered: PageContent): boolean {
  if (plain.looksScriptMade && !rendered.looksScriptMade) return true;
  const known = new Set(followed(plain));
  return followed(rendered).some((link) => !known.has(link));
}

function followed({ links: { kinds, fingerprints } }: PageContent): bigint[] {
  return Array.from(kinds).flatMap((kind, k) =>
    kind === LinkKind.Follow ? [(BigInt(fingerprints[2 * k]) << 32n) | BigInt(fingerprints[2 * k + 1])] : [],
  );
}
