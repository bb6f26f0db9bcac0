import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Answer,
  type FailureName,
  failureNames,
  HOST_FAILURES_MAX,
  hostPauseMs,
  retryAfterMs,
  retryWaitMs,
  verdictOf,
  WAIT_MS_MAX,
} from "../../src/fetch/index.ts";

/** Row by row: meaning, attempts, first wait in seconds, whether the host pauses. */
type Expected = [meaning: string, attempts: number, waitSeconds: number, pausesHost: boolean];

describe("the verdict on a status", () => {
  it.each<[status: number, ...Expected]>([
    [100, "failed", 1, 0, false],
    [101, "failed", 1, 0, false],
    [200, "page", 1, 0, false],
    [201, "page", 1, 0, false],
    [204, "page", 1, 0, false],
    [205, "page", 1, 0, false],
    [206, "page", 1, 0, false],
    [299, "page", 1, 0, false],
    [300, "failed", 1, 0, false],
    [301, "redirect", 1, 0, false],
    [302, "redirect", 1, 0, false],
    [303, "redirect", 1, 0, false],
    [304, "not-modified", 1, 0, false],
    [305, "failed", 1, 0, false],
    [307, "redirect", 1, 0, false],
    [308, "redirect", 1, 0, false],
    [400, "failed", 1, 0, false],
    [401, "forbidden", 1, 0, false],
    [403, "forbidden", 1, 0, false],
    [404, "dead", 1, 0, false],
    [405, "failed", 1, 0, false],
    [408, "try-again", 3, 5, false],
    [410, "dead", 1, 0, false],
    [418, "failed", 1, 0, false],
    [425, "try-again", 3, 5, false],
    [429, "try-again", 4, 30, true],
    [451, "forbidden", 1, 0, false],
    [500, "try-again", 3, 5, false],
    [501, "try-again", 3, 5, false],
    [502, "try-again", 3, 5, false],
    [503, "try-again", 4, 30, true],
    [504, "try-again", 3, 5, false],
    [599, "try-again", 3, 5, false],
    [600, "failed", 1, 0, false],
    [999, "failed", 1, 0, false],
  ])("%i is %s after %i attempts, first wait %i s, host pauses: %s", (status, ...expected) => {
    const verdict = verdictOf(answer(status, { location: "/elsewhere" }));
    expect(flat(verdict)).toEqual(expected);
    expect(verdict.reason).toBe(`status-${status}`);
  });

  it.each([301, 302, 303, 307, 308])("%i without a target has failed", (status) => {
    expect(verdictOf(answer(status)).meaning).toBe("failed");
    expect(verdictOf(answer(status, { location: " " })).meaning).toBe("failed");
  });

  it("is dead for no status but 404 and 410, so that no coverage is claimed for pages that may exist", () => {
    const all = Array.from({ length: 1000 }, (_, status) => status);
    expect(all.filter((status) => verdictOf(answer(status)).meaning === "dead")).toEqual([404, 410]);
  });
});

describe("the verdict on a failure", () => {
  const rows: [FailureName, ...Expected][] = [
    ["host-not-found", "dead", 2, 60, false],
    ["resolve-failed", "try-again", 3, 5, true],
    ["address-refused", "failed", 1, 0, false],
    ["connect-refused", "try-again", 3, 5, true],
    ["connect-failed", "try-again", 3, 5, true],
    ["connect-timeout", "try-again", 3, 5, true],
    ["tls-failed", "failed", 1, 5, true],
    ["connection-lost", "try-again", 3, 5, false],
    ["headers-timeout", "try-again", 3, 5, false],
    ["body-timeout", "try-again", 3, 5, false],
    ["total-timeout", "try-again", 3, 5, false],
    ["headers-too-large", "failed", 1, 0, false],
    ["bad-answer", "try-again", 2, 5, false],
    ["bad-compression", "try-again", 2, 5, false],
    ["proxy-failed", "try-again", 3, 5, true],
    ["aborted", "try-again", Number.POSITIVE_INFINITY, 0, false],
  ];

  it.each(rows)("%s is %s after %i attempts, first wait %i s, host pauses: %s", (failure, ...expected) => {
    const verdict = verdictOf({ kind: "failure", failure, message: "", address: null, milliseconds: 1 });
    expect(flat(verdict)).toEqual(expected);
    expect(verdict.reason).toBe(failure);
  });

  it("is known for every failure", () => {
    expect(rows.map(([name]) => name)).toEqual([...failureNames]);
  });
});

describe("waits", () => {
  const later = verdictOf(answer(503));
  const lost = verdictOf(answer(500));

  it("double from attempt to attempt and end at an hour", () => {
    expect([1, 2, 3].map((attempts) => retryWaitMs(attempts, lost, null))).toEqual([5_000, 10_000, 20_000]);
    expect(retryWaitMs(11, lost, null)).toBe(WAIT_MS_MAX);
  });

  it("of a host grow with every pausing reply in a row until it is given up", () => {
    const pauses = Array.from({ length: HOST_FAILURES_MAX }, (_, i) => hostPauseMs(i + 1, later, null));
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, Infinity]);
  });

  it("of a host are as long as it asks for, if that is longer than ours, up to an hour", () => {
    expect(hostPauseMs(1, later, 45_000)).toBe(45_000);
    expect(hostPauseMs(2, later, 45_000)).toBe(90_000);
    expect(hostPauseMs(1, later, 2000)).toBe(2000);
    expect(hostPauseMs(3, later, 0)).toBe(4000);
    expect(hostPauseMs(1, later, 7_200_000)).toBe(3_600_000);
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 37);
  it.each<[text: string, expected: number | null]>([
    ["120", 120_000],
    [" 0 ", 0],
    ["1.5", 1_500],
    ["3600", 3_600_000],
    ["3601", 3_600_000],
    ["99999999999999999999999", 3_600_000],
    ["Sun, 06 Nov 1994 08:50:37 GMT", 60_000],
    ["Sunday, 06-Nov-94 08:50:37 GMT", 60_000],
    ["Sun Nov  6 08:50:37 1994", 60_000],
    ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
    ["Mon, 07 Nov 1994 08:49:37 GMT", 3_600_000],
    ["-1", null],
    ["soon", null],
    ["Sunday", null],
    ["1994", 1_994_000],
    ["", null],
  ])("%j is %s ms", (text, expected) => {
    expect(retryAfterMs({ "retry-after": text }, now)).toBe(expected);
  });

  it("is null where there is none", () => {
    expect(retryAfterMs({}, now)).toBeNull();
  });

  it("as a date is measured from the Date of the answer, whatever our clock says", () => {
    const headers = {
      date: "Sun, 06 Nov 1994 08:50:00 GMT",
      "retry-after": "Sun, 06 Nov 1994 08:50:30 GMT",
    };
    expect(retryAfterMs(headers, now + 1e9)).toBe(30_000);
  });

  it("never throws and never leaves its bounds", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, date) => {
        const wait = retryAfterMs({ "retry-after": text, date }, now);
        expect(wait === null || (wait >= 0 && wait <= WAIT_MS_MAX)).toBe(true);
      }),
    );
  });
});

function answer(status: number, headers: Record<string, string> = {}): Answer {
  const body = new Uint8Array(0);
  return {
    kind: "answer",
    status,
    headers,
    body,
    truncated: false,
    wireBytes: 0,
    address: null,
    milliseconds: 1,
  };
}

function flat(verdict: ReturnType<typeof verdictOf>): Expected {
  return [verdict.meaning, verdict.attemptsMax, verdict.waitMs / 1000, verdict.pausesHost];
}
