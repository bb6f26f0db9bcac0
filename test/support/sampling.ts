/** Sampled certificates of small worlds whose truth is known. */
import {
  type Arrival,
  type Certificate,
  certify,
  MassLedger,
  type Universe,
  type Walk,
} from "../../src/coverage/index.ts";
import { type Truth, truthAllowed, truthOf, type World } from "./truth.ts";
import type { CrawledWeb } from "./webs.ts";
import { FactEmitter } from "./worlds.ts";

/** All that a walk may meet in a world. */
export function arrivalAt(world: World, url: number, universe: Universe): Arrival {
  const { kind, links } = world.urls[url];
  switch (kind) {
    case "page":
      return { kind: "page", links };
    case "partly":
      return { kind: "links-unknown" };
    case "redirect":
      return { kind: "redirect", target: links[0] };
    case "dead":
      return { kind: universe === "allowed" ? "outside-universe" : "dead" };
    case "forbidden":
      return { kind: universe === "allowed" ? "outside-universe" : "lost" };
  }
}

export function follow(walk: Walk, world: World, universe: Universe): Walk {
  while (!walk.hasEnded) walk.arrive(arrivalAt(world, walk.at, universe));
  return walk;
}

export const coverageOf = ({ ranks, sum }: Truth, had: Iterable<number>): number =>
  sum === 0 ? 0 : [...had].reduce((total, page) => total + ranks[page], 0) / sum;

export const truthIn = (world: World, universe: Universe): Truth =>
  universe === "allowed" ? truthAllowed(world) : truthOf(world);

/** The ledger of a web that was crawled in part, pushed to the end. */
export function ledgerOf(
  { world, learnt }: CrawledWeb,
  universe: Universe,
): { ledger: MassLedger; had: ReadonlySet<number>; certificate: Certificate } {
  const emitter = new FactEmitter(world);
  const ledger = emitter.addListener(new MassLedger({ ...emitter.options, universe }));
  emitter.emit({ about: "trust", url: 0 });
  for (const url of learnt) emitter.emit({ about: "fate", url });
  ledger.grow(world.urls.length);
  return { ledger, had: emitter.had, certificate: certify(ledger) };
}

/** More errors than that have a probability below 0.1% if each of the trials errs with probability `alpha`. */
export function binomialLimit(trials: number, alpha: number): number {
  let mass = (1 - alpha) ** trials;
  if (mass === 0) return Math.ceil(alpha * trials + 3.1 * Math.sqrt(alpha * (1 - alpha) * trials));
  let sum = mass;
  let errors = 0;
  while (sum < 0.999) {
    mass *= ((trials - errors) / (errors + 1)) * (alpha / (1 - alpha));
    sum += mass;
    errors++;
  }
  return errors;
}
