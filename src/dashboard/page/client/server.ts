/**
 * The server as the page sees it: requests, and the connection on which the server sends changes. If that breaks it is
 * opened again, sooner at first and then every ten seconds, as long as the page is open. After a restart of the server,
 * everything shown is loaded again.
 */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { SurveyProgress, TidePoint } from "../../../survey/index.ts";
import type {
  LogEntry,
  Overview,
  Surveyed,
  Tide,
  RequestState,
  Arrived,
  Control,
  ControlAnswer,
  NotYet,
  Problem,
} from "../../protocol/http.ts";

interface LiveState {
  readonly connection: "connecting" | "open" | "lost";
  /** Null until the first message. */
  readonly overview: Overview | null;
  /** The server responds, but cannot read the crawl. */
  readonly isUnreadable: boolean;
  readonly tide: Tide | null;
  /** Entries since the page was opened, newest first, at most `LOG_MAX`. */
  readonly log: readonly LogEntry[];
  /** Changes when lists may have changed: with every survey, and after a reconnection. */
  readonly edition: string;
}

const LOG_MAX = 200;
/** With more points than this the tide is loaded again, since the server thins it out. */
const POINTS_MAX = 8000;
const WAIT_MIN_MS = 500;
const WAIT_MAX_MS = 10_000;

export class LiveConnection {
  state: LiveState = {
    connection: "connecting",
    overview: null,
    isUnreadable: false,
    tide: null,
    log: [],
    edition: "0:0",
  };
  readonly #listeners = new Set<(state: LiveState) => void>();
  #waitMs = WAIT_MIN_MS;
  #openings = 0;

  open(): void {
    const source = new EventSource("/api/events");
    source.addEventListener("open", () => this.#opened());
    source.addEventListener("error", () => this.#lost(source));
    this.#on(source, "overview", (overview: Overview) => this.#set({ overview }));
    this.#on(source, "tide", (points: readonly TidePoint[]) => this.#addPoints(points));
    this.#on(source, "surveyed", (survey: Surveyed) => {
      const { overview } = this.state;
      // The first survey of an old crawl changes its other numbers too, and a refresh what was measured before.
      const isChanged = overview === null || surveyProgress(overview) !== null || overview.state === "refreshing";
      if (isChanged) void this.#load();
      else this.#set({ overview: { ...overview, survey } });
    });
    this.#on(source, "log", (entries: readonly LogEntry[]) => {
      const fresh = entries.toSorted((a, b) => b.key - a.key);
      this.#set({ log: [...fresh, ...this.state.log].slice(0, LOG_MAX) });
    });
  }

  /** Calls `listener` at every change, until the returned function is called. */
  listen(listener: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #on<T>(source: EventSource, name: string, take: (value: T) => void): void {
    source.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data) as T));
  }

  #opened(): void {
    this.#waitMs = WAIT_MIN_MS;
    this.#openings++;
    this.#set({ connection: "open" });
    void this.#load();
  }

  #lost(source: EventSource): void {
    source.close();
    this.#set({ connection: "lost" });
    // A crawl that cannot be read has no events either.
    if (this.state.overview === null) void this.#load();
    setTimeout(() => this.open(), this.#waitMs);
    this.#waitMs = Math.min(2 * this.#waitMs, WAIT_MAX_MS);
  }

  /** The state that events continue. If this fails, the connection is broken, or the crawl cannot be read. */
  async #load(): Promise<void> {
    const [overview, tide] = await Promise.all([fetchJson<Overview>("/api/overview"), fetchJson<Tide>("/api/tide")]);
    this.#set({
      isUnreadable: overview.state === "problem" && overview.status !== undefined,
      ...(overview.state === "there" && { overview: overview.value }),
      ...(tide.state === "there" && { tide: tide.value }),
    });
  }

  #addPoints(points: readonly TidePoint[]): void {
    const { tide } = this.state;
    if (tide === null) return;
    const last = tide.points.at(-1)?.[0] ?? -1;
    const fresh = points.filter(([pages]) => pages >= last);
    if (fresh.length === 0) return;
    // The last point is sent again when sampling shows more without another page.
    const kept = fresh[0][0] === last ? tide.points.slice(0, -1) : tide.points;
    if (kept.length + fresh.length > POINTS_MAX) void this.#load();
    else this.#set({ tide: { ...tide, points: [...kept, ...fresh] } });
  }

  #set(change: Partial<LiveState>): void {
    const next = { ...this.state, ...change };
    const survey = next.overview !== null && "survey" in next.overview.survey ? next.overview.survey.survey : 0;
    this.state = { ...next, edition: `${this.#openings}:${survey}` };
    for (const listener of this.#listeners) listener(this.state);
  }
}

/** The progress of the first survey; null if there is a survey, or nothing is known yet. */
export function surveyProgress(overview: Overview | null): SurveyProgress | null {
  return overview === null || "survey" in overview.survey ? null : overview.survey;
}

/** Whether pages were fetched but not counted yet: an old crawl before its survey. All numbers would be zero. */
export function isUncounted(overview: Overview): boolean {
  return surveyProgress(overview) !== null && overview.status.pages === 0 && overview.firstVisitMs !== null;
}

/** Whether the crawl runs in the server's process. */
export function isHere(overview: Overview | null): boolean {
  return overview !== null && ["running", "paused", "stopping"].includes(overview.state);
}

const LiveContext = createContext<LiveConnection | null>(null);
export const LiveProvider = LiveContext.Provider;

export function useLive(): LiveState {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("useLive is used outside of LiveProvider");
  const [state, setState] = useState(live.state);
  useEffect(() => {
    setState(live.state);
    return live.listen(setState);
  }, [live]);
  return state;
}

/** Rejects only if the request was aborted through `signal`. */
export function fetchJson<T>(path: string, signal?: AbortSignal): Promise<Arrived<T>> {
  return request(path, signal === undefined ? {} : { signal }, "The server does not respond.");
}

/** Controls the crawl that runs in the server's process. */
export function control(change: Control): Promise<Arrived<ControlAnswer>> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(change) };
  return request("/api/control", init, "The server does not respond. Nothing was changed.");
}

/**
 * Loads `path` when it changes, and again when lists may have changed; meanwhile the old result of the same path stays.
 * Loads nothing while `path` is null.
 */
export function useFetch<T>(path: string | null): RequestState<T> {
  const { edition } = useLive();
  const [held, setHeld] = useState<{ path: string | null; answer: RequestState<T> }>({ path, answer: LOADING });
  useEffect(() => {
    if (path === null) return;
    const request = new AbortController();
    fetchJson<T>(path, request.signal).then(
      (answer) => setHeld({ path, answer }),
      () => undefined,
    );
    return () => request.abort();
  }, [path, edition]);
  return held.path === path ? held.answer : LOADING;
}

const LOADING = { state: "loading" } as const;

async function request<T>(path: string, init: RequestInit, whenSilent: string): Promise<Arrived<T>> {
  try {
    const response = await fetch(path, init);
    if (response.ok) return { state: "there", value: (await response.json()) as T };
    const { status } = response;
    const body = (await response.json().catch(() => ({}))) as Partial<NotYet & Problem>;
    if (status === 503 && body.surveying !== undefined) return { state: "not-yet", progress: body.surveying };
    return { state: "problem", problem: body.problem ?? `The server responded with status ${status}.`, status };
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    return { state: "problem", problem: whenSilent };
  }
}
