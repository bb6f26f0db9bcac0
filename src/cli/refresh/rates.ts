/** Change rates of the pages of a graph: one page a line, its id or URL, then how often it changes a unit of time. */
import { quoted, UsageError } from "../../base/index.ts";
import { readLines } from "../input/lines.ts";
import { pagesOfUrls, type UrlSource } from "../input/urls.ts";
import { decimal } from "../options/numbers.ts";

/** Pages that the file does not name never change. */
export async function readRates(
  path: string,
  { pages, urls }: { readonly pages: number; readonly urls: UrlSource | undefined },
): Promise<Float64Array> {
  const rates = new Float64Array(pages).fill(Number.NaN);
  const named: { readonly name: string; readonly rate: number; readonly line: number }[] = [];
  let line = 0;
  for await (const lines of readLines(path)) {
    for (const text of lines) {
      line++;
      const [name = "", rest = ""] = text
        .replace(/(^|\s)#.*/s, "")
        .trim()
        .split(/\s+/);
      if (name === "") continue;
      const rate = decimal(rest);
      if (!(rate >= 0 && rate < Infinity)) {
        throw wrong(path, line, `the change rate is ${quoted(rest)}, expected a finite number not below 0`);
      }
      named.push({ name, rate, line });
    }
  }
  if (named.length === 0)
    throw new UsageError(`${path}: names no page, expected an id or URL and a rate a line`);
  const byUrl = new Set(named.map(({ name }) => name).filter((name) => !isId(name)));
  const pageOfUrl = urls === undefined || byUrl.size === 0 ? undefined : await pagesOfUrls(urls, byUrl);
  for (const { name, rate, line: at } of named) {
    const page = isId(name) ? Number(name) : (pageOfUrl?.get(name) ?? Number.NaN);
    if (!(page < pages))
      throw wrong(path, at, `there is no page ${quoted(name)} among the ${pages} of the graph`);
    if (!Number.isNaN(rates[page])) throw wrong(path, at, `page ${name} has a change rate already`);
    rates[page] = rate;
  }
  return rates.map((rate) => (Number.isNaN(rate) ? 0 : rate));
}

const isId = (name: string): boolean => /^\d+$/.test(name);

function wrong(path: string, line: number, what: string): UsageError {
  return new UsageError(`${path}, line ${line}: ${what}`);
}
