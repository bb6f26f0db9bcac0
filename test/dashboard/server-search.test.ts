import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlainTexts } from "../../src/content/index.ts";
import type { Overview, Problem, SearchList } from "../../src/dashboard/protocol/http.ts";
import { openDatabase } from "../../src/store/index.ts";
import { answer, ask } from "./support/asking.ts";
import { smallDirectory, startSmall } from "./support/small-dashboard.ts";

/** Of the two pages of the small crawl. */
function directoryWithTexts(): string {
  const dir = smallDirectory();
  const database = openDatabase(join(dir, "crawl.sqlite"), { access: "write" });
  const insert = database.prepare("INSERT INTO texts (visit, text) VALUES (?, ?)");
  insert.run(1, makePlainTexts("The tide and the moon", ["text"]).text);
  insert.run(5, makePlainTexts("The tide and the sea", ["text"]).text);
  database.close();
  return dir;
}

describe("a search in the dashboard", () => {
  it("finds pages by their text, with an excerpt, their rank and their importance", async () => {
    const { url } = await startSmall({ dir: directoryWithTexts() });
    expect((await answer<Overview>(`${url}api/overview`)).searchable).toBe(true);
    const { survey, total, rows, searched } = await answer<SearchList>(`${url}api/search?q=moon`);
    expect([survey, total, searched]).toEqual([1, 1, undefined]);
    expect(rows).toMatchObject([
      {
        id: 0,
        url: "https://a.example/",
        rank: 1,
        importance: { low: 0.5, high: 0.6 },
        excerpt: [
          { text: "The tide and the ", isMatch: false },
          { text: "moon", isMatch: true },
        ],
      },
    ]);
  });

  it("is read a piece at a time, of one host if need be", async () => {
    const { url } = await startSmall({ dir: directoryWithTexts() });
    const idsOf = async (query: string) => {
      const { total, rows } = await answer<SearchList>(`${url}api/search?${query}`);
      return [total, ...rows.map(({ id }) => id)];
    };
    expect(await idsOf("q=tide")).toEqual([2, 0, 3]);
    expect(await idsOf("q=tide&from=1&count=1")).toEqual([2, 3]);
    expect(await idsOf("q=tide&host=B.example:8080")).toEqual([1, 3]);
    expect(await idsOf("q=tide&host=nobody.example")).toEqual([0]);
    expect(await idsOf("q=tide+-sea")).toEqual([1, 0]);
  });

  it.each([
    ["q=", "has no word"],
    ["q=-tide", "only excludes words"],
    ["q=tide&top=3", 'unknown parameter "top"'],
  ])("of %s is refused", async (query, problem) => {
    const { url } = await startSmall({ dir: directoryWithTexts() });
    const { status, text } = await ask(`${url}api/search?${query}`);
    expect(status).toBe(400);
    expect((JSON.parse(text) as Problem).problem).toContain(problem);
  });

  it("is not there for a crawl without texts, and makes no index", async () => {
    const dir = smallDirectory();
    const { url } = await startSmall({ dir });
    expect((await answer<Overview>(`${url}api/overview`)).searchable).toBe(false);
    const { status, text } = await ask(`${url}api/search?q=tide`);
    expect(status).toBe(404);
    expect((JSON.parse(text) as Problem).problem).toContain("--store text");
    expect(existsSync(join(dir, "search.sqlite"))).toBe(false);
  });
});
