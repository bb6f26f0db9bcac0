import { describe, expect, it } from "vitest";
import {
  type Absence,
  CONFIRMED_AFTER_MS,
  HostAnswers,
  isBelieved,
  LAST_ABSENCES_MAX,
  SAME_PLACE_MAX,
} from "../../src/crawl/refresh/absence.ts";

const GONE: Absence = { outcome: "gone", target: null };
const moved = (target: string): Absence => ({ outcome: "moved", target });

/** "+" is a page that is there; anything else an absence. */
function hostWith(...answers: readonly ("+" | Absence)[]): HostAnswers {
  const host = new HostAnswers();
  for (const answer of answers) {
    if (answer === "+") host.present();
    else host.absent(answer);
  }
  return host;
}

const lasting = { isLasting: true, nowMs: 0 } as const;

describe("a page that is gone", () => {
  it("is forgotten at once where fewer pages are gone than there", () => {
    expect(isBelieved(GONE, { ...lasting, host: hostWith("+", GONE, "+") })).toBe(true);
    expect(isBelieved(GONE, { ...lasting, host: hostWith("+", GONE, "+", GONE) })).toBe(false);
    expect(isBelieved(GONE, { ...lasting, host: hostWith(GONE) })).toBe(false);
  });

  it("is kept where the last answers were absences, one more than may be chance", () => {
    const answers = (count: number) => [
      ...Array.from({ length: 6 }, () => "+" as const),
      ...Array.from({ length: count }, () => GONE),
    ];
    expect(isBelieved(GONE, { ...lasting, host: hostWith(...answers(LAST_ABSENCES_MAX)) })).toBe(true);
    expect(isBelieved(GONE, { ...lasting, host: hostWith(...answers(LAST_ABSENCES_MAX + 1)) })).toBe(false);
    expect(isBelieved(GONE, { ...lasting, host: hostWith(...answers(LAST_ABSENCES_MAX + 1), "+") })).toBe(true);
  });

  it("is forgotten when a read some hours later says the same, and not a moment before", () => {
    const host = hostWith(GONE, GONE, GONE);
    const before = { ...GONE, sinceMs: 1000 };
    const nowMs = 1000 + CONFIRMED_AFTER_MS;
    expect(isBelieved(GONE, { isLasting: true, host, before, nowMs })).toBe(true);
    expect(isBelieved(GONE, { isLasting: true, host, before, nowMs: nowMs - 1 })).toBe(false);
    expect(isBelieved(GONE, { isLasting: true, host, before: { ...before, outcome: "moved" }, nowMs })).toBe(false);
    // A clock that was set back proves nothing.
    expect(isBelieved(GONE, { isLasting: true, host, before, nowMs: -nowMs })).toBe(false);
  });
});

describe("a page that has moved", () => {
  const HERE = moved("http://a.example/here");
  const there = (k: number) => moved(`http://a.example/login?next=${k}`);

  it("is followed at once by a lasting redirect only, and by any other when it is confirmed", () => {
    const host = hostWith("+", HERE, "+");
    expect(isBelieved(HERE, { ...lasting, host })).toBe(true);
    expect(isBelieved(HERE, { host, isLasting: false, nowMs: 0 })).toBe(false);
    const confirmed = { host, isLasting: false, nowMs: CONFIRMED_AFTER_MS };
    expect(isBelieved(HERE, { ...confirmed, before: { ...HERE, sinceMs: 0 } })).toBe(true);
    expect(isBelieved(HERE, { ...confirmed, before: { ...there(1), sinceMs: 0 } })).toBe(false);
  });

  it("is kept where others are sent to the same place, whatever the query", () => {
    const hostOf = (count: number) =>
      hostWith(...Array.from({ length: count }, (_, k) => there(k)), "+", "+", "+", "+");
    expect(isBelieved(there(0), { ...lasting, host: hostOf(SAME_PLACE_MAX) })).toBe(true);
    expect(isBelieved(there(0), { ...lasting, host: hostOf(SAME_PLACE_MAX + 1) })).toBe(false);
    expect(isBelieved(HERE, { ...lasting, host: hostOf(SAME_PLACE_MAX + 1) })).toBe(true);
  });
});
