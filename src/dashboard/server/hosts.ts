/** Hosts, the frontier, and what is missing: lists of the survey, with the current status of hosts. */
import type { MissingReason } from "../../coverage/index.ts";
import type { CrawlWindow } from "../../store/index.ts";
import type { NumberedSurvey, Survey, SurveyHost, SurveyMissing } from "../../survey/index.ts";
import type {
  FrontierList,
  FrontierLine,
  HostLine,
  HostList,
  HostsMissing,
  Missing,
  MissingOfReason,
} from "../protocol/http.ts";
import type { Live } from "./running-crawl.ts";
import { hostOf, pagesLinkingTo } from "./page-detail.ts";
import { pageLine } from "./pages.ts";
import type { Rows } from "./requests.ts";
import { RecentCache } from "./recent-cache.ts";

export const HOST_SORTS = ["mass", "pages", "missing", "errors", "name"] as const;
/** Hosts per reason in `/api/missing`. */
const HOSTS_PER_REASON = 100;
/** Hosts in `/api/missing/hosts`: more than a page can draw. */
const HOSTS_MAX = 10_000;
const LISTS_MAX = 8;
const INDICES_MAX = 2 ** 22;

interface HostFilter {
  readonly sort: (typeof HOST_SORTS)[number];
  readonly q: string | undefined;
}

const COMPARE: Readonly<Record<HostFilter["sort"], (a: SurveyHost, b: SurveyHost) => number>> = {
  mass: (a, b) => b.mass - a.mass,
  pages: (a, b) => b.downloaded - a.downloaded,
  missing: (a, b) => b.missing - a.missing,
  errors: (a, b) => b.errors - a.errors,
  name: () => 0,
};

export class HostQueries {
  readonly #window: CrawlWindow;
  readonly #live: Live | undefined;
  readonly #orders = new RecentCache<Uint32Array>({ entries: LISTS_MAX, size: INDICES_MAX }, (list) => list.length);

  constructor(window: CrawlWindow, live: Live | undefined) {
    this.#window = window;
    this.#live = live;
  }

  async list({ number, survey }: NumberedSurvey, { sort, q }: HostFilter, { from, count }: Rows): Promise<HostList> {
    const { hosts } = survey.facts;
    const text = q?.toLowerCase() ?? "";
    const order = this.#orders.get(`${number} ${sort} ${text}`, () => orderOf(hosts, sort, text));
    const shown = Array.from(order.subarray(from, from + count), (index) => hosts[index]);
    const statuses = await this.#statuses(shown.map(({ host }) => host));
    const rows = shown.map((host, k): HostLine => ({ ...host, politeness: statuses[k] ?? null }));
    return { survey: number, total: order.length, rows };
  }

  /** Without URLs that were fetched after the survey. */
  async frontier({ number, survey }: NumberedSurvey, order: string, count: number): Promise<FrontierList> {
    const lines: Omit<FrontierLine, "politeness">[] = [];
    for (const id of survey.facts.frontier) {
      if (lines.length === count) break;
      const [line] = this.#window.lines([id]);
      if (line?.state !== "waiting") continue;
      const page = pageLine(survey, line);
      lines.push({ ...page, arrives: page.importance.low, linksIn: pagesLinkingTo(survey, id) });
    }
    const { frontier: total } = survey.facts.status;
    const statuses = await this.#statuses(lines.map(({ url }) => hostOf(url)));
    return {
      survey: number,
      order,
      total,
      rows: lines.map((line, k) => ({ ...line, politeness: statuses[k] ?? null })),
    };
  }

  async #statuses(names: readonly string[]) {
    return this.#live === undefined || names.length === 0 ? [] : this.#live.hosts(names);
  }
}

export function missingOf({ facts }: Survey): Missing {
  return {
    coverage: facts.certificate.coverage,
    waiting: facts.status.frontier,
    reasons: facts.missing.map((missing) => missingOfReason(facts.hosts, missing)),
    outside: facts.outside.map((outside) => missingOfReason(facts.hosts, outside)),
  };
}

function missingOfReason(hosts: readonly SurveyHost[], missing: SurveyMissing): MissingOfReason {
  const { reason, mass, pages } = missing;
  return { reason, mass, pages, hosts: sharesOf(hosts, missing, HOSTS_PER_REASON), hostCount: missing.hosts.length };
}

export function hostsMissing({ facts }: Survey, reason: MissingReason): HostsMissing {
  const missing = [...facts.missing, ...facts.outside].find((each) => each.reason === reason);
  return { reason, hosts: missing === undefined ? [] : sharesOf(facts.hosts, missing, HOSTS_MAX) };
}

function sharesOf(hosts: readonly SurveyHost[], missing: SurveyMissing, countMax: number) {
  return missing.hosts.slice(0, countMax).map(({ host, mass, pages }) => ({ host: hosts[host].host, mass, pages }));
}

/** Ties are sorted by name. */
function orderOf(hosts: readonly SurveyHost[], sort: HostFilter["sort"], text: string): Uint32Array {
  const chosen: number[] = [];
  for (const [index, { host }] of hosts.entries()) if (host.includes(text)) chosen.push(index);
  const compare = COMPARE[sort];
  const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return Uint32Array.from(chosen.sort((a, b) => compare(hosts[a], hosts[b]) || byName(hosts[a].host, hosts[b].host)));
}
