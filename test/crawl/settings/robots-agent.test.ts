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
  ["Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0)", "Mozilla"],
  ["Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", "Mozilla"],
  ["Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.0) ExampleBot/1.0", "ExampleBot"],
  ["Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.0) (compatible; ExampleBot/1.0; +x)", "ExampleBot"],
  ...["Edge/1", "Edg/1", "EdgA/1", "EdgiOS/1", "OPR/1", "Vivaldi/1", "SamsungBrowser/1", "CriOS/1", "FxiOS/1"].map(
    (product) => [
      `Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Mobile Safari/537.36 ${product}`,
      "Mozilla",
    ],
  ),
  ["Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1 Safari/537.36 Edg/1 ExampleBot/1", "ExampleBot"],
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
