/** Bugs in the stores and their codecs: lost facts, and facts that are read back wrong. */
import type { Mutant } from "../mutant.ts";

const living = "test/crawl/living-web.test.ts";
const sqlite = "test/store/sqlite-store.test.ts";
const earlierWindow = "test/store/earlier-window.test.ts";
const deleted = "test/store/deleted-visits.test.ts";
const memory = "test/store/memory-store.test.ts";
const codec = "test/log/link-codec.test.ts";
const feed = "test/log/log-feed.test.ts";
const migration = "test/store/migration.test.ts";
const exports = "test/store/exports.test.ts";
const surt = "test/store/surt.test.ts";
const archive = "test/crawl/archive.test.ts";
const shards = "test/store/shard-warc.test.ts";

export const store: readonly Mutant[] = [
  {
    file: "src/store/window.ts",
    find: "if (this.#view?.moment.isNow === false) expectView(database, this.#view.moment.visit);",
    replace: "",
    plants: "A window that is open shows an earlier moment although visits that counted then were deleted.",
    killedBy: [earlierWindow],
  },
  {
    file: "src/store/moment.ts",
    find: "if (visit < viewsFrom(database)) throw",
    replace: "if (visit + 1 < viewsFrom(database)) throw",
    plants: "A view is shown although a visit that counted then was deleted.",
    killedBy: [sqlite, deleted],
  },
  {
    file: "src/store/deleted-visits.ts",
    find: "LIMIT 1 OFFSET ${newest - 2})",
    replace: "LIMIT 1 OFFSET ${newest - 1})",
    plants: "One visit more of each page is kept than was asked for.",
    killedBy: [sqlite, deleted],
  },
  {
    file: "src/store/moment.ts",
    find: "Math.max(Number(database.prepare(sql).get()?.[0] ?? 0), viewsFrom(database))",
    replace: "Number(database.prepare(sql).get()?.[0] ?? 0)",
    plants: "A survey of before a change is taken for one of now, because the visit that was replaced is deleted.",
    killedBy: [sqlite],
  },
  {
    file: "src/store/sqlite-reader.ts",
    find: "if (known.length < end - from) this.#expectEnd(table, key, from, known);",
    replace: 'if (table !== "visits" && known.length < end - from) this.#expectEnd(table, key, from, known);',
    plants: "A visit that somebody deleted by hand is taken for one that was deleted on purpose.",
    killedBy: [deleted],
  },
  {
    file: "src/store/warc-archive.ts",
    find: "if (mark.keys !== KEYS || !mark.merged)",
    replace: "if (mark.keys !== KEYS)",
    plants: "The index of an archive names records of a crawl that was started anew.",
    killedBy: ["test/store/warc-archive.test.ts"],
  },
  {
    file: "src/store/warc-archive.ts",
    find: "cutOff(join(folder, name), bytes);",
    replace: "cutOff(join(folder, name), statSync(join(folder, name)).size + 0 * bytes);",
    plants: "Records of workers that were never committed stay in the archive.",
    killedBy: [shards],
  },
  {
    file: "src/store/warc-archive.ts",
    find: "for (const name of this.#adopted.keys()) this.#indexAgain(name);",
    replace: "",
    plants: "An index that was lost is made again without the files of workers.",
    killedBy: [shards],
  },
  {
    file: "src/store/shard-warc.ts",
    find: "return count === mark.lines ? lines : undefined;",
    replace: "return lines;",
    plants: "An index that a crash has cut off is taken for whole.",
    killedBy: [shards],
  },
  {
    file: "src/store/sqlite-driver.ts",
    find: 'new BetterSqlite(":memory:").close();',
    replace: "",
    plants: "A better-sqlite3 without its compiled part is taken for a driver, and fails later as a bug of ours.",
    killedBy: ["test/store/sqlite-driver.test.ts"],
  },
  {
    file: "src/store/sqlite-reader.ts",
    find: "if (gap < 0 && (following ?? next) === next) return;",
    replace: "if ((following ?? next) <= next) return;",
    plants: "A row deleted from the last range of a table goes unnoticed.",
    killedBy: ["test/store/sqlite-faults.test.ts"],
  },
  {
    file: "src/store/sqlite-store.ts",
    find: 'if (this.#inTransaction) this.database.exec("ROLLBACK");',
    replace: 'if (!this.#inTransaction) this.database.exec("ROLLBACK");',
    plants: "What was not committed when the disk failed is not undone.",
    killedBy: ["test/store/rollback.test.ts"],
  },
  {
    file: "src/store/memory-store.ts",
    find: "this.#origins.length = origins;",
    replace: "",
    plants: "A crash leaves origins that were not committed.",
    killedBy: [memory],
  },
  {
    file: "src/store/sqlite-store.ts",
    find: "total = max(total, excluded.total)",
    replace: "total = excluded.total",
    plants: "A late message lowers a total that was received.",
    killedBy: [sqlite],
  },
  {
    file: "src/store/memory-store.ts",
    find: "?? 0) >= received.total) return;",
    replace: "?? 0) < received.total) return;",
    plants: "The store in memory keeps no total that was received.",
    killedBy: [memory],
  },
  {
    file: "src/store/schema.ts",
    find: "...(version < 2 ? [REREADS] : []),",
    replace: "...(version < 1 ? [REREADS] : []),",
    plants: "A crawl of version 1 never gets its table of rereads.",
    killedBy: [migration],
  },
  {
    file: "src/store/page-rows.ts",
    find: 'if (page.state === "downloaded-partly")',
    replace: 'if (page.state === "downloaded")',
    plants: "A crawl of an older version shows states under a name that nobody knows.",
    killedBy: [migration, exports],
  },
  {
    file: "src/store/page-rows.ts",
    find: "there.has(name) ? name : `NULL AS ${name}`",
    replace: "name",
    plants: "A crawl of an older version cannot be read where it may not be written.",
    killedBy: [migration],
  },
  {
    file: "src/web/html-facts.ts",
    find: 'this.#language ??= attribute("lang")',
    replace: 'this.#language = attribute("lang")',
    plants: "The last html tag names the language, where browsers take the first.",
    killedBy: ["test/web/html.test.ts"],
  },
  {
    file: "src/log/codecs.ts",
    find: "return detail === null ? reason : `${reason}:${detail}`;",
    replace: "return reason;",
    plants: "Which failure or rule it was is not stored.",
    killedBy: [feed],
  },
  {
    file: "src/log/codecs.ts",
    find: "if (isRewritten) return REWRITTEN;",
    replace: "",
    plants: "A resumed crawl takes a loop that only our canonical form closes for a true one.",
    killedBy: [feed],
  },
  {
    file: "src/log/codecs.ts",
    find: "zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2",
    replace: "zigzag % 2 === 0 ? zigzag / 2 : -(zigzag - 1) / 2",
    plants: "Links backwards are read back one off.",
    killedBy: [codec],
  },
  {
    file: "src/log/log-rules.ts",
    find: "if (visit.number !== this.visits + 1)",
    replace: "if (visit.number < this.visits + 1)",
    plants: "A gap in the numbers of visits is not noticed.",
    killedBy: [memory, sqlite],
  },
  {
    file: "src/store/export-graph.ts",
    find: "if (to === NO_PAGE) linksToSinks++;",
    replace: "if (to === NO_PAGE) linksToSinks += 0;",
    plants: "Links that were left out of the graph are not counted.",
    killedBy: [exports],
  },
  {
    file: "src/store/surt.ts",
    find: "order(name, otherName) || order(value, otherValue)",
    replace: "order(name + value, otherName + otherValue)",
    plants: "Keys of parameters are sorted as whole texts.",
    killedBy: [surt],
  },
  {
    file: "src/store/surt.ts",
    find: "end >= 3 && bytes[end - 3] === PERCENT; end = bytes.length",
    replace: "end >= 3 && bytes[end - 3] === PERCENT; end = 0",
    plants: "Keys undo an escape once, not until none is left.",
    killedBy: [surt],
  },
  {
    file: "src/store/surt.ts",
    find: '.replace(/^www\\d*\\./, "")',
    replace: '.replace(/^www\\./, "")',
    plants: "Keys keep the host www2.",
    killedBy: [surt],
  },
  {
    file: "src/store/warc-record.ts",
    find: 'lower !== "content-length" || value === stored',
    replace: 'lower !== "content-length"',
    plants: "A Content-Length that is true of the stored body is renamed.",
    killedBy: [archive],
  },
  {
    file: "src/store/warc-record.ts",
    find: 'head?.reason ?? STATUS_CODES[status] ?? ""',
    replace: 'STATUS_CODES[status] ?? ""',
    plants: "Records have the words of the standard, not the server's.",
    killedBy: [archive],
  },
  {
    file: "src/store/warc-record.ts",
    find: "if (head === undefined) return Object.entries(headers);",
    replace: "if (headers !== undefined) return Object.entries(headers);",
    plants: "Records join repeated headers, in lower case.",
    killedBy: [archive],
  },
  {
    file: "src/store/warc-record.ts",
    find: 'truncatedBy ?? (head === undefined && truncated ? "unspecified" : null)',
    replace: 'truncated ? "unspecified" : null',
    plants: "Records do not say why a body is cut.",
    killedBy: [archive],
  },
  {
    file: "src/store/warc-archive.ts",
    find: "if (mark.keys !== KEYS || !mark.merged) rmSync(this.#indexPath, { force: true });",
    replace: "",
    plants: "Lines with the keys of an older version stay in the index.",
    killedBy: ["test/store/warc-archive.test.ts"],
  },
  {
    file: "src/crawl/open.ts",
    find: 'if (warcRecords === "pages" && !isPage && request.purpose !== "requisite") return undefined;',
    replace: "if (!isPage) return undefined;",
    plants: "The archive has pages alone, whatever was asked for.",
    killedBy: [archive],
  },
  {
    file: "src/store/sqlite-store.ts",
    find: "for (const act of this.#beforeCommits) act();\n      if (this.#inTransaction) this.#commit.run();",
    replace: "if (this.#inTransaction) this.#commit.run();\n      for (const act of this.#beforeCommits) act();",
    plants: "A kill after a commit leaves pages without their bodies.",
    killedBy: [living],
  },
  {
    file: "src/store/growing-file.ts",
    find: "    ftruncateSync(this.#file, length);\n",
    replace: "",
    plants: "What a killed process wrote beyond its last commit stays in the archive.",
    killedBy: [living],
  },
  {
    file: "src/crawl/refresh/refresh-work.ts",
    find: "      this.archive(task, answer, wallMs);\n      const visit",
    replace: "      const visit",
    plants: "The body of a page that has changed is not archived.",
    killedBy: [living],
  },
];
