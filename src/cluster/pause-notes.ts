/** Until when hosts of a shard are not to be requested: notes in its log, for its next owner and for who gathers it. */

export const PAUSE = "pause ";

/** `untilMs`: Unix time in milliseconds. */
export function pauseNote(host: string, untilMs: number): [key: string, value: string] {
  return [PAUSE + host, String(untilMs)];
}

/** What a note of a log says about a pause, if it does. */
export function pauseIn(key: string, value: string | undefined): [host: string, untilMs: number] | undefined {
  return key.startsWith(PAUSE) && value !== undefined ? [key.slice(PAUSE.length), Number(value)] : undefined;
}
