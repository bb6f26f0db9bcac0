/**
 * The scroll position of a list of any length. Browsers limit the height of an element to 16 to 33 million pixels,
 * which is less than a million rows.
 *
 * The scrolled element is at most `HEIGHT_MAX_PX` high. A small movement (wheel or finger) moves the rows by as many
 * pixels as the element, so nothing is skipped. A large movement can only come from the scrollbar, and goes to the same
 * fraction of the list. Small movements make the two drift apart. So the element is moved back in proportion when
 * scrolling pauses, and at once if it would hit an end that the list has not reached. `shiftPx` changes with it, so
 * rows stay in place.
 */

/** Below 2^22: browsers draw in single precision, and so positions are exact to a quarter of a pixel. */
export const HEIGHT_MAX_PX = 4_000_000;

export class ScrollMap {
  /** Height of all rows, and of the visible part. */
  #fullPx = 0;
  #viewPx = 0;
  /** Scroll position of the list, in pixels of rows. */
  #topPx = 0;
  /** Scroll position of the element. */
  #elementPx = 0;

  /** Height of the scrolled element for this height of all rows. */
  static heightOf(fullPx: number): number {
    return Math.min(fullPx, HEIGHT_MAX_PX);
  }

  get topPx(): number {
    return this.#topPx;
  }

  /** A row at `y` in the list is drawn at `y + shiftPx` in the element. */
  get shiftPx(): number {
    return this.#elementPx - this.#topPx;
  }

  /** The size of the list or of its view has changed. Returns the new position of the element. */
  resize(fullPx: number, viewPx: number): number {
    this.#fullPx = fullPx;
    this.#viewPx = viewPx;
    return this.goTo(this.#topPx);
  }

  /** Scrolls the list to `topPx`, or as near as possible. Returns the new position of the element. */
  goTo(topPx: number): number {
    this.#topPx = clamp(topPx, this.#topMaxPx);
    return this.settle();
  }

  /** Scrolling has paused. Returns the new position of the element. */
  settle(): number {
    this.#elementPx = this.#isScaled ? Math.round(this.#topPx / this.#ratio) : this.#topPx;
    return this.#elementPx;
  }

  /** The element was scrolled. Returns the position it must be moved to at once; undefined if it can stay. */
  scrolled(elementPx: number): number | undefined {
    const movedPx = elementPx - this.#elementPx;
    this.#elementPx = elementPx;
    if (!this.#isScaled) {
      this.#topPx = clamp(elementPx, this.#topMaxPx);
      return undefined;
    }
    // A quarter of the distance that one pixel of the scrollbar moves the element.
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
