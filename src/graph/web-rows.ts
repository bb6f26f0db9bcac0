/**
 * The links of a generated web, page by page.
 *
 * - A host is a tree of pages under its home: a page links to its children, its parent and the home, so that all its
 *   pages are within reach.
 * - Links are copied from one of the last pages of the same host, in stretches (the copy model: Kumar et al.,
 *   Stochastic models for the web graph, FOCS 2000), which gives in-degrees their tail and makes BV files small.
 * - New links go to a near page, to a page preferred by its place in the host, or to another host: INTER_HOST_SHARE of
 *   all links, the host chosen by popularity, mostly its home.
 * - Out-degrees follow a power law; DANGLING_SHARE of the pages, leaves of their tree, link nowhere.
 * - One host is a calendar, a trap: each day links to the day before, the day after and the home.
 *
 * The average degree and the share of links between hosts are held by steering: the next choice depends on how far the
 * running total is behind. State: the last rows of the current host, and two running totals.
 */
import type { Random } from "../base/index.ts";
import { sortDistinct } from "./builder.ts";
import type { WebLayout } from "./web-layout.ts";

const DANGLING_SHARE = 0.2;
const INTER_HOST_SHARE = 0.05;
/** The chance of a new link to leave the host while too few do; while enough do, none does. */
const INTER_HOST_CHANCE = 0.4;
/** Of a link between hosts to lead to the home of the other. */
const HOME_CHANCE = 0.6;
/** Of a new link inside the host to lead to one of the NEAR_PAGES around its page. */
const NEAR_CHANCE = 0.5;
const NEAR_PAGES = 40;
/** Of a page in the tree of its host. */
const CHILDREN = 8;
/** Rows that copying looks back at: as many as BV compression by default. */
const WINDOW = 7;
/** Chance to stop copying after a copied link, and to take it up again after a link left out. */
const STOP_COPYING = 0.06;
const RESUME_COPYING = 0.2;
/** The share of pages with more than k links falls like k^-DEGREE_TAIL, before steering. */
const DEGREE_TAIL = 1.7;
const DEGREE_MAX = 2000;
/** Steering makes good a shortfall of links within about this many pages. */
const STEERING_PAGES = 500;

export class RowMaker {
  /** The row made last; the next one overwrites another array. */
  targets = new Uint32Array(0);
  arcs = 0;
  readonly #layout: WebLayout;
  readonly #random: Random;
  readonly #averageDegree: number;
  /** Ring of rows: those with links among the last of this host, and the one being made. */
  readonly #ring = Array.from({ length: WINDOW + 1 }, () => new Uint32Array(DEGREE_MAX + CHILDREN + 2));
  readonly #ringCounts = new Uint32Array(WINDOW + 1);
  #rowsOfHost = 0;
  #interHostArcs = 0;
  #isCalendar = false;
  #home = 0;
  #size = 0;
  #danglingChance = 0;

  constructor(layout: WebLayout, random: Random, averageDegree: number) {
    this.#layout = layout;
    this.#random = random;
    this.#averageDegree = averageDegree;
  }

  enterHost(host: number): void {
    const { starts, calendar } = this.#layout;
    this.#isCalendar = host === calendar;
    this.#home = starts[host];
    this.#size = starts[host + 1] - this.#home;
    this.#rowsOfHost = 0;
    const leaves = this.#size - Math.ceil((this.#size - 1) / CHILDREN);
    this.#danglingChance = (DANGLING_SHARE * this.#size) / leaves;
  }

  /** Fills `targets` with the links of the page, ascending and distinct, and returns their number. */
  make(page: number): number {
    const slot = this.#rowsOfHost % (WINDOW + 1);
    const row = this.#ring[slot];
    this.targets = row;
    const end = this.#isCalendar ? this.#calendarRow(page, row) : this.#row(page, row);
    if (end === 0) return 0;
    const count = sortDistinct(row, 0, end);
    this.#ringCounts[slot] = count;
    this.#rowsOfHost++;
    this.#account(row, count);
    return count;
  }

  #calendarRow(page: number, row: Uint32Array): number {
    const home = this.#home;
    let end = 0;
    if (page > home) row[end++] = home;
    if (page > home + 1) row[end++] = page - 1;
    if (page + 1 < home + this.#size) row[end++] = page + 1;
    const elsewhere = page === home ? this.#elsewhere() : page;
    if (elsewhere !== page) row[end++] = elsewhere;
    return end;
  }

  #row(page: number, row: Uint32Array): number {
    const local = page - this.#home;
    const firstChild = CHILDREN * local + 1;
    if (local > 0 && firstChild >= this.#size && this.#random.float() < this.#danglingChance) return 0;
    let end = 0;
    if (local > 0) {
      row[end++] = this.#home;
      row[end++] = this.#home + Math.floor((local - 1) / CHILDREN);
    }
    const childrenEnd = Math.min(firstChild + CHILDREN, this.#size);
    for (let child = firstChild; child < childrenEnd; child++) row[end++] = this.#home + child;
    const degree = this.#degree(page);
    if (this.#rowsOfHost > 0) end = this.#copy(page, row, end, degree);
    for (let wanted = degree - end; wanted > 0; wanted--) {
      const target = this.#newLink(page);
      if (target !== page) row[end++] = target;
    }
    return end;
  }

  /** How many links this page should have. */
  #degree(page: number): number {
    const mean = this.#averageDegree / (1 - DANGLING_SHARE);
    const behind = (this.#averageDegree * page - this.arcs) / (this.#averageDegree * STEERING_PAGES);
    const steering = Math.min(4, Math.max(0.25, 1 + behind));
    const least = (mean * (DEGREE_TAIL - 1)) / DEGREE_TAIL;
    const degree = steering * least * (1 - this.#random.float()) ** (-1 / DEGREE_TAIL);
    return Math.min(DEGREE_MAX, this.#size, Math.round(degree));
  }

  /** Copies stretches of a recent row; returns the new end of this one. */
  #copy(page: number, row: Uint32Array, from: number, degree: number): number {
    const random = this.#random;
    const back = 1 + random.below(Math.min(WINDOW, this.#rowsOfHost));
    const slot = (this.#rowsOfHost - back) % (WINDOW + 1);
    const model = this.#ring[slot];
    const count = this.#ringCounts[slot];
    let end = from;
    let copying = true;
    for (let i = 0; i < count && end < degree; i++) {
      if (copying && model[i] !== page) row[end++] = model[i];
      if (random.float() < (copying ? STOP_COPYING : RESUME_COPYING)) copying = !copying;
    }
    return end;
  }

  #newLink(page: number): number {
    const random = this.#random;
    const isBehind = this.#interHostArcs < INTER_HOST_SHARE * this.arcs;
    if (isBehind && random.float() < INTER_HOST_CHANCE) return this.#elsewhere();
    if (random.float() < NEAR_CHANCE) {
      const near = page - (NEAR_PAGES >> 1) + random.below(NEAR_PAGES);
      if (near >= this.#home && near < this.#home + this.#size) return near;
    }
    return this.#home + preferred(this.#size, random);
  }

  /** A page as links from other hosts choose it. */
  #elsewhere(): number {
    const { starts } = this.#layout;
    const host = this.#layout.popularHost(this.#random);
    if (this.#random.float() < HOME_CHANCE) return starts[host];
    return starts[host] + preferred(starts[host + 1] - starts[host], this.#random);
  }

  #account(row: Uint32Array, count: number): void {
    const from = this.#home;
    const to = from + this.#size;
    for (let i = 0; i < count; i++) if (row[i] < from || row[i] >= to) this.#interHostArcs++;
    this.arcs += count;
  }
}

/** Page s * u^4 of s, u uniform: in-degrees fall like rank^(-3/4). Products, because `**` is slow. */
function preferred(size: number, random: Random): number {
  const u = random.float();
  return Math.floor(size * (u * u) * (u * u));
}
