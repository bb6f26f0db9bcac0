import { describe, expect, it } from "vitest";
import { SiteBuilder } from "../../../src/lab/sites/site.ts";

describe("SiteBuilder", () => {
  it("refuses a link to what answers nothing, and a second answer of one URL", () => {
    const site = new SiteBuilder();
    site.page("/", ["/lost"]);
    expect(() => site.finish()).toThrow("/ links to /lost, which answers nothing");
    expect(() => site.page("/", [])).toThrow("/ answers one thing only");
  });

  it("counts a link once: nofollow only where no other link of the page leads there, and never to the outside", () => {
    const site = new SiteBuilder();
    site.page("/", ["/a", "/a", "/", "https://x.example/", "/b"], ["/b", "/c", "/c", "/", "https://y.example/"]);
    site.all("dead", ["/a", "/b"]);
    expect(site.finish().urls[0]).toEqual({ url: "/", kind: "page", links: [1, 2], nofollow: 1, outside: 1 });
  });
});
