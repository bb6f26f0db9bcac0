/** Bugs in the service that refreshes a crawl for ever. */
import type { Mutant } from "../mutant.ts";

const parts = "test/crawl/forever-parts.test.ts";
const forever = "test/crawl/forever.test.ts";
const simulation = "test/crawl/forever-simulation.test.ts";
const readings = "test/crawl/refresh-readings.test.ts";
const pastReads = "test/crawl/past-reads.test.ts";
const refresh = "test/crawl/refresh.test.ts";

export const foreverMutants: readonly Mutant[] = [
  {
    file: "src/crawl/refresh/day-budget.ts",
    find: "const MINUTES = 1441;",
    replace: "const MINUTES = 1440;",
    plants: "Reads are forgotten up to a minute before a day has passed.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/day-budget.ts",
    find: "minuteOf(this.#time.past(atMs))",
    replace: "minuteOf(atMs)",
    plants: "A read of a clock that was ahead is counted in the wrong minute.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/read-source.ts",
    find: "if (atHost >= connectionsOf(host)) queue.pauseHost(host, Infinity, nowMs);",
    replace: "",
    plants: "A slow host takes all pages that may be handed out.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/read-source.ts",
    find: "queue.pauseHost(host, isFull ? Infinity : Math.max(nowMs, untilMs), nowMs);",
    replace: "queue.pauseHost(host, isFull ? Infinity : nowMs, nowMs);",
    plants: "A host that asked us to wait is read as soon as a page of it is done.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/importance.ts",
    find: "settled[page] * (handsOn ? 1 - damping : 1)",
    replace: "settled[page] * (1 - damping)",
    plants: "Mass that ends somewhere looks lost.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/retries.ts",
    find: "const absence = isSame ? before.absence : now;",
    replace: "const absence = now;",
    plants: "A page that is gone is never believed to be.",
    killedBy: [parts],
  },
  {
    file: "src/crawl/refresh/refresh-history.ts",
    find: "for (const atMs of spent.times()) state.budget.count(atMs, nowMs);",
    replace: "",
    plants: "A restart spends the budget of the day again.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-history.ts",
    find: "book.copyOf(page).visit === null) state.retries.failed(page, atMs, detail);",
    replace: "book.copyOf(page).visit !== null) state.retries.failed(page, atMs, detail);",
    plants: "A new page that fails is requested again at every start.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/past-reads.ts",
    find: "    this.#ageMs[page] = null;\n",
    replace: "",
    plants: "The age of the newest content counts as the age at the first read.",
    killedBy: [refresh, pastReads],
  },
  {
    file: "src/crawl/refresh/past-reads.ts",
    find: "if (!this.#unvisited.has(page)) ",
    replace: "",
    plants: "A change that version 0.1 noted without a visit is never read.",
    killedBy: [pastReads],
  },
  {
    file: "src/crawl/refresh/past-reads.ts",
    find: "    if (afterMs <= 0) return;\n",
    replace: "",
    plants: "A clock that was set back makes a change that no rate explains.",
    killedBy: [pastReads],
  },
  {
    file: "src/crawl/refresh/past-reads.ts",
    find: "const quietMs = this.#quietMs[page] + Math.max(0, seenMs - sinceMs);",
    replace: "const quietMs = this.#quietMs[page];",
    plants: "Once a page has changed, the time in which it had not is forgotten.",
    killedBy: [pastReads],
  },
  {
    file: "src/crawl/refresh/past-reads.ts",
    find: "ageMs: ageMs !== null && ageMs < afterMs ? ageMs : null",
    replace: "ageMs: null",
    plants: "After a restart, pages that date their changes seem to change far less often.",
    killedBy: [pastReads, forever],
  },
  {
    file: "src/crawl/refresh/refresh-history.ts",
    find: "past.noteDates(state.dates, (url) => importance.urls.hostOf(url));",
    replace: "",
    plants: "After a restart, the dates of a host that lies are believed.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-work.ts",
    find: "this.#rounds.planned(this.plan(page));",
    replace: "this.plan(page);",
    plants: "Whether a page is gone is decided before other pages of its host have answered.",
    killedBy: [refresh],
  },
  {
    file: "src/crawl/refresh/sourced-work.ts",
    find: "protected override readonly confirmsAbsences = true;",
    replace: "protected override readonly confirmsAbsences = false;",
    plants: "A page that is not found once is forgotten, whatever its host is going through.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-service.ts",
    find: "if (this.#shift.news === 0) return;",
    replace: "if (this.#shift.news >= 0) return;",
    plants: "New links are not followed.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-service.ts",
    find: "this.#reads.out === 0 && !this.#isWritten && ",
    replace: "this.#reads.out === 0 && ",
    plants: "Pages are weighed by what is not committed, and the disk takes it back.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-service.ts",
    find: "return nowMs >= this.#sitemapsMs;",
    replace: "return nowMs >= this.#shift.endMs;",
    plants: "The index of all URLs is read from the log each time that pages are weighed.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/refresh-service.ts",
    find: "compaction.step()) await new Promise<void>((next) => this.#timers.after(0, next));",
    replace: "compaction.step());",
    plants: "Nobody can stop a refresh while it deletes visits.",
    killedBy: [forever],
  },
  {
    file: "src/crawl/refresh/rounds.ts",
    find: "new HostSchedule({ ...settings.politeness, takenOverMs }, settings.hosts)",
    replace: "new HostSchedule(settings.politeness, settings.hosts)",
    plants: "A host is requested right after the last request of the shift before.",
    killedBy: [simulation],
  },
  {
    file: "src/crawl/refresh/reading.ts",
    find: "page.readAs === rulesOfAnswer(answer) && areEqual(page.digest, digest)",
    replace: "areEqual(page.digest, digest)",
    plants: "The same bytes of another type count as unchanged.",
    killedBy: [readings],
  },
  {
    file: "src/crawl/refresh/reading.ts",
    find: "if (isRenderFailed) return true;",
    replace: "",
    plants: "The plain HTML of a page replaces the rendered page once its rendering has failed twice.",
    killedBy: [readings],
  },
  {
    file: "src/crawl/refresh/reading.ts",
    find: "return mayPass && failure !== linksUnknown;",
    replace: "return mayPass;",
    plants: "A page that has changed to one that cannot be read to its end is never read again.",
    killedBy: [readings],
  },
  {
    file: "src/crawl/refresh/refresh-service.ts",
    find: "{ ...renewedCopy(book.copyOf(page), reread), ...reading }",
    replace: "renewedCopy(book.copyOf(page), reread)",
    plants: "A refresh that goes on compares types with that of the visit before.",
    killedBy: [readings],
  },
  {
    file: "src/crawl/refresh/retries.ts",
    find: "return this.#failures.get(page)?.reason ?? null;",
    replace: "return null;",
    plants: "A refresh that goes on never believes that less is left of a page.",
    killedBy: [readings, parts],
  },
];
