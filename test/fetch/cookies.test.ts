/** Memory of jars, whoever fills them. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  COOKIE_BYTES_MAX,
  CookieJars,
  COOKIES_PER_JAR_MAX,
  type GivenCookie,
  JAR_BYTES_MAX,
  JARS_MAX,
} from "../../src/fetch/cookies.ts";

const GIVEN: GivenCookie = {
  name: "sid",
  value: "1",
  domain: "given.example",
  hostOnly: true,
  path: "/",
  secure: true,
  httpOnly: true,
  expiresMs: null,
};

const jarsOf = (): CookieJars => new CookieJars({ given: [GIVEN], origins: [], keepsAll: true });
const at = (host: string): URL => new URL(`https://${host}/`);

describe("jars", () => {
  it("are dropped when there are too many, the one used longest ago first, and never a given one", () => {
    const jars = jarsOf();
    for (let k = 0; k < JARS_MAX; k++) jars.take(at(`www.s${k}.example`), ["a=1"]);
    expect(jars.header(at("www.s0.example"))).toBe("a=1");
    jars.take(at("one-more.example"), ["a=1"]);
    expect(jars.count).toBe(JARS_MAX);
    const [first, second, last, given] = ["www.s0.example", "www.s1.example", "one-more.example", "given.example"].map(
      (host) => jars.header(at(host)),
    );
    expect([first, second, last, given]).toEqual(["a=1", "", "a=1", "sid=1"]);
  });

  it("of hosts that fill them are dropped before they take too much memory", () => {
    const jars = jarsOf();
    const values = Array.from({ length: COOKIES_PER_JAR_MAX }, (_, k) => `c${k}=${"x".repeat(4000)}`);
    for (let k = 0; k < 100; k++) jars.take(at(`s${k}.example`), values);
    expect(jars.bytes).toBeLessThanOrEqual(JAR_BYTES_MAX);
    expect(jars.bytes).toBeGreaterThan(JAR_BYTES_MAX - 4100 * COOKIES_PER_JAR_MAX);
    expect([jars.header(at("s0.example")), jars.header(at("s99.example")).length > 4000]).toEqual(["", true]);
  });

  it("hold so many cookies: those that were not sent for longest go first", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const jars = jarsOf();
    jars.take(at("a.example"), ["kept=1"]);
    const url = new URL("https://a.example/deep/");
    for (let k = 0; k < COOKIES_PER_JAR_MAX + 10; k++) {
      jars.take(url, [`c${k}=1; Path=/other`]);
      vi.advanceTimersByTime(1);
      jars.header(at("a.example"));
    }
    const sent = jars.header(new URL("https://a.example/other")).split("; ");
    expect(sent).toHaveLength(COOKIES_PER_JAR_MAX);
    expect(sent).toContain(`c${COOKIES_PER_JAR_MAX + 9}=1`);
    expect(jars.header(at("a.example"))).toBe("kept=1");
  });

  it("hold all given cookies, however many there are, and so many of the host besides", () => {
    const given = Array.from({ length: COOKIES_PER_JAR_MAX + 10 }, (_, k) => ({ ...GIVEN, name: `g${k}` }));
    const jars = new CookieJars({ given, origins: [], keepsAll: false });
    jars.take(at("given.example"), ["g0=new", "g1=; Max-Age=0"]);
    for (let k = 0; k < COOKIES_PER_JAR_MAX + 10; k++) jars.take(at("given.example"), [`c${k}=1`]);
    const sent = jars.header(at("given.example")).split("; ");
    expect(sent.filter((each) => each.startsWith("g"))).toEqual([
      "g0=new",
      ...given.slice(2).map(({ name }) => `${name}=1`),
    ]);
    expect(sent.filter((each) => each.startsWith("c"))).toHaveLength(COOKIES_PER_JAR_MAX);
  });

  it("hold no cookie that is too long", () => {
    const jars = jarsOf();
    jars.take(at("a.example"), [`a=${"x".repeat(COOKIE_BYTES_MAX - 2)}`, `b=${"x".repeat(COOKIE_BYTES_MAX - 1)}`]);
    expect(jars.header(at("a.example")).split("; ")).toEqual([`a=${"x".repeat(COOKIE_BYTES_MAX - 2)}`]);
  });

  it("forget nothing when a host sends rubbish", () => {
    const jars = jarsOf();
    jars.take(at("a.example"), ["a=1"]);
    jars.take(at("a.example"), ["", ";", "=", "b", "c=1; Domain=.", "\0=1", "d=1; Path=x; Expires=never"]);
    const header = jars.header(at("a.example"));
    expect(header.split("; ")).toContain("a=1");
    expect(/^[\x20-\x7e]*$/.test(header)).toBe(true);
  });
});
