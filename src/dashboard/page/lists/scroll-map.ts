/**
 * Where a list of any length stands, when no element may be as high as all its rows: browsers draw no more than some 16 to 33 million
 * pixels, which is less than a million rows.
 *
 * The scrolled element is `HEIGHT_MAX_PX` high at most. A small movement (a wheel, a finger) moves the rows by as many pixels as the
 * element, so that nothing is skipped; a large one can only come from the scrollbar, and goes to the same fraction of the list. Small
 * movements make the two drift apart, so the element is put back in proportion when scrolling rests, and at once where it would
 * run against an end that the list has not reached. `shiftPx` changes together with it, so that rows stay where they are seen.
 */

/** Below 2^22, so that positions in single precision, which browsers draw with, are exact to a quarter of a pixel. */
export const HEIGHT_MAX_PX = 4_000_000;

export class ScrollMap {
  /** Height of all rows, and of the part that is seen. */
  #fullPx = 0;
  #viewPx = 0;
  /** How far the list is scrolled, in pixels of rows. */
  #topPx = 0;
  /** How far the element is. */
  #elementPx = 0;

  /** Height of the element that is scrolled, for rows that are so high together. */
  static heightOf(fullPx: number): number {
    return Math.min(fullPx, HEIGHT_MAX_PX);
  }

  get topPx(): number {
    return this.#topPx;
  }

  /** A row that begins at `y` in the list is drawn at `y + shiftPx` in the element. */
  get shiftPx(): number {
    return this.#elementPx - this.#topPx;
  }

  /** The list or its view has changed. Returns where the element must be scrolled to. */
  resize(fullPx: number, viewPx: number): number {
    this.#fullPx = fullPx;
    this.#viewPx = viewPx;
    return this.goTo(this.#topPx);
  }

  /** Puts a place of the list at the top, or as near as it can be. Returns where the element must be scrolled to. */
  goTo(topPx: number): number {
    this.#topPx = clamp(topPx, this.#topMaxPx);
    return this.settle();
  }

  /** Scrolling rests. Returns where the element must be scrolled to. */
  settle(): number {
    this.#elementPx = this.#isScaled ? Math.round(this.#topPx / this.#ratio) : this.#topPx;
    return this.#elementPx;
  }

  /** The element was scrolled. Returns where it must be put at once, undefined where it may stay. */
  scrolled(elementPx: number): number | undefined {
    const movedPx = elementPx - this.#elementPx;
    this.#elementPx = elementPx;
    if (!this.#isScaled) {
      this.#topPx = clamp(elementPx, this.#topMaxPx);
      return undefined;
    }
    // A quarter of what a scrollbar, as high as the view, moves the element by for one pixel of its own.
    const isJump = Math.abs(movedPx) > this.#elementMaxPx / (4 * this.#viewPx);
    const topPx = isJump ? elementPx * this.#ratio : this.#topPx + movedPx;
    this.#topPx = clamp(topPx, this.#topMaxPx);
    const isAtEnd = elementPx <= 0 || elementPx >= this.#elementMaxPx;
    return this.#topPx !== topPx || isAtEnd ? this.settle() : undefined;
  }

  get #isScaled(): boolean {
    return this.#fullPx > HEIGHT_MAX_PX;
  }

  get #topMaxPx(): number {
    return Math.max(0, this.#fullPx - this.#viewPx);
  }

  get #elementMaxPx(): number {
    return Math.max(0, ScrollMap.heightOf(this.#fullPx) - this.#viewPx);
  }

  get #ratio(): number {
    return this.#topMaxPx / this.#elementMaxPx;
  }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), most);
}
