/** What runs inside a page: before its own scripts, and in the end to read its document. Plain scripts, no closures. */

/**
 * Takes away what would go past our fetcher, and windows of its own; where a page wants to open one is noted. The
 * browser has no way out for these either: this only keeps pages from waiting for them.
 */
export const PREPARATION = `(() => {
  const opened = [];
  Object.defineProperty(window, Symbol.for("tidemark.opened"), { value: opened });
  window.open = (url) => {
    if (url !== undefined && opened.length < 100) opened.push(String(url));
    return null;
  };
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "EventSource"]) {
    delete window[name];
  }
})()`;

/** An expression that waits until the page has nothing else to do: on a busy machine, quiet may only look so. */
export const IDLE = `new Promise((resolve) => {
  requestIdleCallback(() => setTimeout(() => resolve(null), 0), { timeout: 200 });
})`;

/** Of the document, as far as it may be long. */
export interface DocumentSnapshot {
  readonly html: string;
  readonly isCut: boolean;
  readonly url: string;
  readonly encoding: string;
  readonly contentType: string;
  readonly links: readonly string[];
}

/** An expression whose value is a `DocumentSnapshot`. Links of shadow trees are not part of the HTML. */
export function snapshotScript(lengthMax: number): string {
  return `(() => {
    const links = [];
    const add = (href) => {
      try {
        links.push(new URL(href, document.baseURI).href);
      } catch {}
    };
    const shadows = (root, depth) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot === null || depth > 50) continue;
        for (const link of element.shadowRoot.querySelectorAll("a[href], area[href]")) add(link.getAttribute("href"));
        shadows(element.shadowRoot, depth + 1);
      }
    };
    shadows(document, 0);
    for (const url of window[Symbol.for("tidemark.opened")] ?? []) add(url);
    const doctype = document.doctype === null ? "" : new XMLSerializer().serializeToString(document.doctype);
    const html = doctype + (document.documentElement?.outerHTML ?? "");
    return {
      html: html.slice(0, ${lengthMax}),
      isCut: html.length > ${lengthMax},
      url: document.URL,
      encoding: document.characterSet,
      contentType: document.contentType,
      links,
    };
  })()`;
}
