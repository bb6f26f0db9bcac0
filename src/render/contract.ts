/**
 * Rendering one page: the contract of the browser and of its simulated counterparts.
 *
 * A renderer takes the response of a page and gives back its document once scripts have run. It has no network: what a
 * page wants is asked of the listener, and only what is supplied is there. `done` is called exactly once, unless the
 * renderer is closed or down.
 */
import type { Answer } from "../fetch/index.ts";

/** A page to be rendered. */
export interface RenderJob {
  /** The canonical URL that was requested. */
  readonly url: string;
  /** Pages of one host share what scripts store in a browser; those of two never do. */
  readonly host: string;
  readonly answer: Answer;
}

/** What a page does with a resource: scripts and styles are the same for many pages, data is not. */
export type ResourceUse = "script" | "style" | "data";

/** What a page that is being rendered wants. */
export interface WantedResource {
  /** Absolute, http or https. */
  readonly url: string;
  readonly use: ResourceUse;
  /** Those that a script has set and that may be sent, and its cookies; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the browser sends as `Origin`, where the server has to allow the page to read the response (CORS). */
  readonly corsOrigin?: string;
}

/** Who wants a page rendered, and gives it what it wants. */
export interface RenderListener {
  /** Calls `supply` with the answer, or with null if there is none; not at all if the page is not wanted any more. */
  want(resource: WantedResource, supply: (answer: Answer | null) => void): void;
  done(rendering: Rendering): void;
}

/** The document of a page once its scripts have run. */
export interface RenderedPage {
  readonly kind: "rendered";
  readonly html: string;
  /** Of the document in the end, by which its relative links are resolved: scripts may have changed it. */
  readonly documentUrl: string;
  /** Of the document, for the queries of its links. */
  readonly encoding: string;
  readonly contentType: string;
  /** Where scripts wanted to go, and links in shadow trees and frames: absolute, none of them in the HTML. */
  readonly links: readonly string[];
  /** A limit ended it, or it did what is not done for it: there may be more. */
  readonly isCut: boolean;
}

/** The browser died with the page, each time; or the page did not respond. */
export type RenderFailure = { readonly kind: "failed"; readonly reason: "crashed" | "hung" };

/** What came of rendering a page. */
export type Rendering = RenderedPage | RenderFailure;

/** Renders pages: Chromium, or a program of one's own. */
export interface Renderer {
  render(job: RenderJob, listener: RenderListener): void;
  /** Calls back once, with the reason, if no browser can be started any more. */
  onDown?(listener: (why: string) => void): void;
  close(): Promise<void>;
}

/** A renderer with processes of its own. */
export interface BrowserRenderer extends Renderer {
  /** Processes of the browsers that run. */
  readonly pids: readonly number[];
  onDown(listener: (why: string) => void): void;
}
