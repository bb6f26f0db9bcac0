/** Which headers of a script's request go to the server. */
import { describe, expect, it } from "vitest";
import { headersElsewhere, scriptHeaders } from "../../src/render/script-headers.ts";

const pageUrl = "https://a.example/page";
const own = { url: "https://a.example/items", pageUrl };
const other = { url: "https://api.a.example/items", pageUrl };

describe("headers of a script's request", () => {
  it("are none where the browser has set all of them", () => {
    const sent = { accept: "*/*", "user-agent": "x", referer: pageUrl, origin: "https://a.example", "sec-ch-ua": "x" };
    expect(scriptHeaders(own, sent)).toEqual({ headers: {}, isPartial: false });
  });

  it("go to the page's own server where they are safe", () => {
    const sent = {
      accept: "application/json",
      "accept-language": "de",
      "content-type": "a/b",
      "x-requested-with": "x",
    };
    expect(scriptHeaders(own, { ...sent, referer: pageUrl })).toEqual({ headers: sent, isPartial: false });
  });

  it("are not all sent where one could give rights, or pretend something", () => {
    for (const name of ["authorization", "host", "range", "if-none-match", "x-forwarded-host", "x-original-url"]) {
      expect(scriptHeaders(own, { "x-a": "1", [name]: "x" })).toEqual({ headers: { "x-a": "1" }, isPartial: true });
    }
  });

  it("have the cookies that scripts have set, but not after a redirect to another origin", () => {
    const cookie = `a=b; c=${"x".repeat(16_000)}`;
    for (const where of [own, other]) {
      expect(scriptHeaders(where, { cookie })).toEqual({ headers: { cookie }, isPartial: false });
    }
    expect(headersElsewhere({ cookie, accept: "a/b" })).toEqual({ accept: "a/b" });
    for (const bad of ["x".repeat(16_385), "a=ä"]) {
      expect(scriptHeaders(own, { cookie: bad })).toEqual({ headers: {}, isPartial: true });
    }
  });

  it("go to another origin only where no browser would ask first", () => {
    const headers = { accept: "application/json" };
    expect(scriptHeaders(other, headers)).toEqual({ headers, isPartial: false });
    expect(scriptHeaders(other, { ...headers, "x-a": "1" })).toEqual({ headers, isPartial: true });
    expect(headersElsewhere(headers)).toEqual(headers);
    expect(headersElsewhere({ ...headers, "x-a": "1" })).toBeUndefined();
  });

  it("are twenty at most, and none is long or no text", () => {
    const many = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, k) => [`x-${k}`, "1"]));
    expect(scriptHeaders(own, many(20)).isPartial).toBe(false);
    expect(scriptHeaders(own, many(21))).toEqual({ headers: many(20), isPartial: true });
    expect(scriptHeaders(own, { "x-a": "x".repeat(4096) }).isPartial).toBe(false);
    for (const value of ["x".repeat(4097), "ä", "a\r\nb"]) {
      expect(scriptHeaders(own, { "x-a": value })).toEqual({ headers: {}, isPartial: true });
    }
  });
});
