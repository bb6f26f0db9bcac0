/** What runs inside a page: before its own scripts, and in the end to read its document. Plain scripts, no closures. */
import type { Answer } from "../fetch/index.ts";

/** A function that `PREPARATION` takes from the page: called when a script opens a connection that is off. */
export const CONNECTION_BINDING = "tidemarkConnection";

/**
 * Takes away what would go past our fetcher, and windows of its own. The browser has no way out for these either: this
 * only keeps pages from waiting for them. What a page writes to its console would all be sent to us. Shadow trees are
 * open, or their links could not be read.
 *
 * Connections that are off fail when a script opens them, which it is told once. What shared workers fetch belongs to
 * no page, so they are off too.
 *
 * Reports of a page are not sent: requests other than GET that may outlive it (`keepalive`). To a script that asks
 * whether one has arrived, or when to send the next, it was accepted. A script that reads more of the response, its
 * body or another header, may make links of it: then the request is one for data like others.
 */
export const PREPARATION = `(() => {
  window.open = () => null;
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (options) {
    return attachShadow.call(this, { ...options, mode: "open" });
  };
  const { fetch } = window;
  const HEADER_METHODS = ["get", "has", "entries", "forEach", "keys", "values", "getSetCookie", Symbol.iterator];
  window.fetch = function (input, init) {
    // What is there and undefined counts as left out.
    const keepalive = init?.keepalive ?? input?.keepalive;
    const method = init?.method ?? input?.method ?? "GET";
    if (!keepalive || /^(get|head)$/i.test(method)) return fetch.call(this, input, init);
    let sent;
    const send = () => (sent ??= fetch.call(window, input, init));
    const unread = new Response();
    for (const name of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
      unread[name] = () => send().then((response) => response[name]());
    }
    unread.clone = () => unread;
    const read = () => void send().catch(() => {});
    for (const name of ["body", "redirected", "url"]) Object.defineProperty(unread, name, { get: read });
    const { headers } = unread;
    for (const name of HEADER_METHODS) {
      const inherited = headers[name];
      headers[name] = (...given) => {
        const isAboutNextReport = (name === "get" || name === "has") && /^retry-after$|rate-?limit/i.test(given[0]);
        if (!isAboutNextReport) read();
        return inherited.apply(headers, given);
      };
    }
    return Promise.resolve(unread);
  };
  for (const name of Object.keys(console)) console[name] = () => {};
  let tell = window.${CONNECTION_BINDING};
  delete window.${CONNECTION_BINDING};
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "SharedWorker"]) {
    if (!(name in window)) continue;
    window[name] = class {
      constructor() {
        tell?.("");
        tell = undefined;
        throw new DOMException(name + " is off", "NotSupportedError");
      }
    };
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

/** Shadow trees that a server has closed: nothing sees into them. */
const CLOSED_TREE = /\bshadowrootmode\s*=\s*["']?closed\b/i;

/** Whether a document as it came has parts that cannot be read. */
export function hasClosedTree({ body }: Pick<Answer, "body">): boolean {
  return CLOSED_TREE.test(Buffer.from(body).toString("latin1"));
}

/** Links of shadow trees and frames that are taken; with more, the page is cut. */
const INNER_LINKS_MAX = 100_000;

/**
 * An expression whose value is a `DocumentSnapshot`. Links of shadow trees are not part of the HTML, and neither are
 * those of frames that have no address on the web: scripts fill them, or a `srcdoc` does. A frame of these that cannot
 * be read cuts the page; one with an address is a link.
 */
export function snapshotScript(lengthMax: number): string {
  return `(() => {
    const links = [];
    let isHidden = false;
    const roots = [document];
    const isOnWeb = (frame) => !frame.hasAttribute("srcdoc") && /^https?:/i.test(frame.src);
    for (let root = roots.pop(); root !== undefined && links.length < ${INNER_LINKS_MAX}; root = roots.pop()) {
      if (root !== document) {
        for (const link of root.querySelectorAll("a[href], area[href]")) {
          try {
            links.push(new URL(link.getAttribute("href"), link.baseURI).href);
          } catch {}
        }
      }
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        if (!/^i?frame$/i.test(element.localName)) continue;
        if (element.contentDocument) roots.push(element.contentDocument);
        else if (!isOnWeb(element)) isHidden = true;
      }
    }
    const doctype = document.doctype === null ? "" : new XMLSerializer().serializeToString(document.doctype);
    const html = doctype + (document.documentElement?.outerHTML ?? "");
    return {
      html: html.slice(0, ${lengthMax}),
      isCut: isHidden || html.length > ${lengthMax} || links.length >= ${INNER_LINKS_MAX},
      url: document.URL,
      encoding: document.characterSet,
      contentType: document.contentType,
      links: links.slice(0, ${INNER_LINKS_MAX}),
    };
  })()`;
}
