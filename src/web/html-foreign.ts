/**
 * SVG and MathML inside a page, as far as they can be read without a tree: known harmless elements, properly nested.
 * Everything else (HTML inside, tags that break out, end tags that match nothing) is left to the exact parser.
 *
 * Links of SVG are not links of HTML and are skipped: browsers do not agree on what their URL is.
 */

/** Their content is HTML again: only text is accepted. */
const TEXT_ONLY = new Set(["title", "desc", "mi", "mn", "mo", "ms", "mtext"]);

const HARMLESS = new Set(
  `svg g path circle ellipse line polygon polyline rect use defs symbol text tspan textpath image a style switch view
  metadata marker pattern lineargradient radialgradient stop clippath mask filter feblend fecolormatrix
  fecomponenttransfer fecomposite feflood fefunca fefuncb fefuncg fefuncr feimage fegaussianblur femerge femergenode
  femorphology feoffset fetile feturbulence animate animatemotion animatetransform set mpath
  math mrow mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup munder mover munderover
  mmultiscripts mprescripts none mtable mtr mtd mlabeledtr mspace semantics annotation`.split(/\s+/),
);

/** Deeper drawings are left to the exact parser, which has its own bound. */
const DEPTH_MAX = 256;

export class ForeignContent {
  /** Names of the open elements, outermost first. */
  readonly #open: string[] = [];

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** `svg` or `math` starts. */
  open(name: string): void {
    this.#open.push(name);
  }

  /** A start tag; returns false if it is not known to be harmless here. */
  start(written: string, selfClosing: boolean): boolean {
    const name = written.toLowerCase();
    const parent = this.#open.at(-1);
    if (parent === undefined || TEXT_ONLY.has(parent)) return false;
    if (!HARMLESS.has(name) && !TEXT_ONLY.has(name)) return false;
    if (selfClosing) return true;
    if (this.#open.length >= DEPTH_MAX) return false;
    this.#open.push(name);
    return true;
  }

  /** An end tag; returns false if it does not match the innermost element. */
  end(written: string): boolean {
    if (this.#open.at(-1) !== written.toLowerCase()) return false;
    this.#open.pop();
    return true;
  }
}
