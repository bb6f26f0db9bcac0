/** What a worker says about itself to all who can see the board. */
import type { Board } from "../store/index.ts";
import type { SharingState } from "./address-shares.ts";

export interface WorkerInfo extends SharingState {
  /** Where it runs, for people. */
  readonly place: string;
  readonly version: string;
}

function parseInfo(text: string): WorkerInfo {
  return JSON.parse(text) as WorkerInfo;
}

export function workersOf({ workers }: Board): (WorkerInfo & { readonly name: string })[] {
  return workers.map(({ name, info }) => ({ name, ...parseInfo(info) }));
}
