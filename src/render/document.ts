/** What runs inside a page: before its own scripts, and in the end to read its document. Plain scripts, no closures. */

/**
 * Takes away what would go past our fetcher, and windows of its own. The browser has no way out for these either: this
 * only keeps pages from waiting for them. What a page writes to its console would all be sent to us.
 */
export const PREPARATION = `(() => {
  window.open = () => null;
  for (const name of Object.keys(console)) console[name] = () => {};
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "EventSource"]) {
    delete window[name];
  }
})()`;

/** Whether the page has nothing else to do, within so long: on a busy machine, quiet may only look so. */
export function idleScript(withinMs: number): string {
  return `new Promise((resolve) => {
    requestIdleCallback(({ didTimeout }) => setTimeout(() => resolve(!didTimeout), 0), { timeout: ${withinMs} });
  })`;
}

/** Of the document, as far as it may be long. */
export interface DocumentSnapshot {
  readonly html: string;
  readonly isCut: boolean;
  readonly url: string;
  readonly encoding: string;
  readonly contentType: string;
  readonly links: readonly string[];
}

/** Links of shadow trees that are taken; with more, the page is cut. */
const SHADOW_LINKS_MAX = 100_000;

/** An expression whose value is a `DocumentSnapshot`. Links of shadow trees are not part of the HTML. */
export function snapshotScript(lengthMax: number): string {
  return `(() => {
    const links = [];
    const roots = [document];
    for (let root = roots.pop(); root !== undefined && links.length < ${SHADOW_LINKS_MAX}; root = roots.pop()) {
      for (const { shadowRoot } of root.querySelectorAll("*")) {
        if (shadowRoot === null || shadowRoot === undefined) continue;
        roots.push(shadowRoot);
        for (const link of shadowRoot.querySelectorAll("a[href], area[href]")) {
          try {
            links.push(new URL(link.getAttribute("href"), document.baseURI).href);
          } catch {}
        }
      }
    }
    const doctype = document.doctype === null ? "" : new XMLSerializer().serializeToString(document.doctype);
    const html = doctype + (document.documentElement?.outerHTML ?? "");
    return {
      html: html.slice(0, ${lengthMax}),
      isCut: html.length > ${lengthMax} || links.length >= ${SHADOW_LINKS_MAX},
      url: document.URL,
      encoding: document.characterSet,
      contentType: document.contentType,
      links: links.slice(0, ${SHADOW_LINKS_MAX}),
    };
  })()`;
}
