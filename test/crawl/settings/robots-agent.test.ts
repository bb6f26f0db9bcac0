/** By which name the rules of robots.txt are looked up. */
import { expect, it } from "vitest";
import { crawlSettings } from "../../../src/crawl/index.ts";

const urls = ["http://a.example/"];

it.each([
  ["mybot/1.0 (+https://example.com/bot)", "mybot"],
  ["Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)", "ExampleBot"],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ExampleBot/2.1; +x) Chrome/1.2 Safari/537.36",
    "ExampleBot",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Safari/537.36 Example_Bot/3",
    "Example_Bot",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/20100101 Firefox/1", "Mozilla"],
])("of %s is %s", (userAgent, productToken) => {
  expect(crawlSettings({ urls, userAgent }).productToken).toBe(productToken);
});

it("is the one that is given, also when the crawl is resumed, until another user agent is given", () => {
  const before = crawlSettings({ urls, userAgent: "mybot/1.0", robotsAgent: "OtherBot" });
  expect(before.productToken).toBe("OtherBot");
  expect(crawlSettings({}, { before }).productToken).toBe("OtherBot");
  expect(crawlSettings({ userAgent: "newbot/1.0" }, { before }).productToken).toBe("newbot");
  expect(crawlSettings({ robotsAgent: "third" }, { before }).productToken).toBe("third");
});

it("has no blanks or signs", () => {
  expect(() => crawlSettings({ urls, robotsAgent: "my bot/1.0" })).toThrow("as robots.txt has it");
});
