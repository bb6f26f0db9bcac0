/** Lists of the made-up crawl, found by going through all of it: too slow for a server, fast enough to look at. */
import type {
  FrontierList,
  HostLine,
  HostList,
  LinkList,
  LogEntry,
  LogList,
  PageDetail,
  PageList,
} from "../../../src/dashboard/protocol/http.ts";
import type { MockCrawl } from "./crawl.ts";
import {
  chance,
  hostCount,
  hostName,
  hostOf,
  importanceOf,
  missingReasonOf,
  pageLine,
  politenessOf,
  urlOf,
  wordOf,
} from "./world.ts";

export function pageList(crawl: MockCrawl, query: URLSearchParams): PageList {
  const ids = matching(crawl, query);
  if (query.get("sort") === "newest") ids.reverse();
  const from = Number(query.get("from") ?? 0);
  const count = Math.min(200, Number(query.get("count") ?? 50));
  return {
    survey: crawl.survey,
    total: ids.length,
    rows: [...ids.subarray(from, from + count)].map((id) => ({
      ...pageLine(id, crawl.asked),
      ...(query.get("reason") !== null && { missingMass: importanceOf(id) / 3 }),
    })),
  };
}

function matching(crawl: MockCrawl, query: URLSearchParams): Uint32Array {
  const { asked, known } = crawl;
  const [host, state, reason, q, status] = ["host", "state", "reason", "q", "status"].map((name) => query.get(name));
  const isByVisit = (query.get("sort") ?? "importance") !== "importance";
  const found = new Uint32Array(known);
  let count = 0;
  for (let id = 0; id < (isByVisit ? asked : known); id++) {
    if (host !== null && hostName(hostOf(id)) !== host) continue;
    if (state !== null && wordOf(id, asked).word !== state) continue;
    if (reason !== null && missingReasonOf(id, asked) !== reason) continue;
    if (status !== null || q !== null) {
      const line = pageLine(id, asked);
      if (status !== null && !String(line.status ?? "").startsWith(status.replace("xx", ""))) continue;
      if (q !== null && !`${line.url} ${line.title ?? ""}`.toLowerCase().includes(q.toLowerCase())) continue;
    }
    found[count++] = id;
  }
  return found.subarray(0, count);
}

export function pageDetail(crawl: MockCrawl, id: number): PageDetail | null {
  if (id >= crawl.known) return null;
  const line = pageLine(id, crawl.asked);
  const reason = missingReasonOf(id, crawl.asked);
  const isDownloaded = line.state.startsWith("downloaded");
  return {
    ...line,
    survey: crawl.survey,
    host: hostName(hostOf(id)),
    source: id === 0 ? "seed" : "link",
    place: isDownloaded ? { place: id + 1, isCertain: id < 120 } : null,
    missing: reason === null ? null : { reason, mass: importanceOf(id) / 3 },
    outside: null,
    trust: id === 0 ? 1 : null,
    contentType: isDownloaded ? "text/html; charset=utf-8" : null,
    bytes: isDownloaded ? 12_000 + Math.round(chance(id, 7) * 90_000) : null,
    target: line.state === "redirected" ? { id: id + 1, url: urlOf(id + 1) } : null,
    linksIn: linksIn(id),
    linksOut: isDownloaded ? 37 : 0,
    visits:
      line.fetchedMs === null
        ? []
        : [
            {
              number: id,
              atMs: line.fetchedMs - 60_000,
              outcome: "try-again",
              reason: "timeout",
              why: "timeout",
              status: null,
              milliseconds: 30_000,
              bytes: 0,
            },
            {
              number: id + 1,
              atMs: line.fetchedMs,
              outcome: line.state === "waiting" ? "try-again" : line.state,
              reason: line.reason,
              why: line.why,
              status: line.status,
              milliseconds: 231,
              bytes: 18_211,
            },
          ],
    rereads: [],
  };
}

function linksIn(id: number): number {
  return Math.max(1, Math.round(90_000 / (id + 3)));
}

export function links(crawl: MockCrawl, id: number, side: "in" | "out", query: URLSearchParams): LinkList {
  const total = side === "in" ? linksIn(id) : 37;
  const from = Number(query.get("from") ?? 0);
  const count = Math.max(0, Math.min(200, Number(query.get("count") ?? 50), total - from));
  const rows = Array.from({ length: count }, (_, index) => {
    const other = (id + 1 + (from + index) * 13) % crawl.known;
    return { page: pageLine(other, crawl.asked), carries: importanceOf(other) / 40, times: 1 + (index % 3) };
  });
  return { total, rows };
}

export function hostList(crawl: MockCrawl, query: URLSearchParams): HostList {
  const q = (query.get("q") ?? "").toLowerCase();
  const isLive = crawl.overview().controllable;
  const all: HostLine[] = [];
  for (let index = 0; index < hostCount; index++) {
    const host = hostName(index);
    if (!host.includes(q)) continue;
    const share = 0.25 / (index + 1) ** 1.05;
    const known = Math.max(1, Math.round(crawl.known * share));
    const downloaded = Math.round(crawl.pages * share);
    all.push({
      host,
      known,
      downloaded,
      waiting: known - downloaded,
      dead: Math.round(downloaded * 0.03),
      refused: Math.round(downloaded * 0.03),
      redirected: Math.round(downloaded * 0.03),
      errors: index % 9 === 4 ? 12 + index : 0,
      bytes: downloaded * 31_400,
      mass: share * crawl.coverage,
      missing: share * (1 - crawl.coverage),
      answerMs: downloaded === 0 ? null : 80 + (index % 40) * 21,
      politeness: isLive ? politenessOf(index) : null,
    });
  }
  const sort = query.get("sort") ?? "mass";
  if (sort === "name") all.sort((a, b) => a.host.localeCompare(b.host));
  else if (sort === "errors" || sort === "missing") all.sort((a, b) => b[sort] - a[sort]);
  else if (sort === "pages") all.sort((a, b) => b.downloaded - a.downloaded);
  const from = Number(query.get("from") ?? 0);
  return {
    survey: crawl.survey,
    total: all.length,
    rows: all.slice(from, from + Math.min(200, Number(query.get("count") ?? 50))),
  };
}

export function frontier(crawl: MockCrawl, query: URLSearchParams): FrontierList {
  const { asked, known } = crawl;
  const total = crawl.overview().status.frontier;
  const count = Math.min(1000, Number(query.get("count") ?? 100), total);
  const isLive = crawl.overview().controllable;
  return {
    survey: crawl.survey,
    order: "rankmass",
    total,
    rows: Array.from({ length: count }, (_, index) => {
      const id = Math.min(known - 1, asked + index);
      const politeness = isLive ? politenessOf(hostOf(id)) : null;
      return { ...pageLine(id, asked), arrives: importanceOf(id), linksIn: linksIn(id), politeness };
    }),
  };
}

export function logList(crawl: MockCrawl, query: URLSearchParams): LogList {
  const before = Number(query.get("before") ?? Infinity);
  const count = Math.min(200, Number(query.get("count") ?? 50));
  const [only, host] = [query.get("only"), query.get("host")];
  const rows = only === "pages" || only === "trouble" ? [] : crawl.events.filter(({ key }) => key < before);
  if (only === "events") return cut(rows, count);
  for (let visit = Math.ceil(Math.min(before, crawl.asked)) - 1; visit >= 0 && rows.length <= count; visit--) {
    const entry = crawl.entry(visit);
    if (only === "trouble" && entry.event.startsWith("downloaded")) continue;
    if (host === null || entry.host === host) rows.push(entry);
  }
  return cut(rows, count);
}

function cut(all: LogEntry[], count: number): LogList {
  const rows = all.slice(0, count);
  const more = all.length > count;
  return { rows, more, ...(more && { next: rows.at(-1)!.key }) };
}
