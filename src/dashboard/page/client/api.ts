/** Requests to the server. */
import { useEffect, useState } from "preact/hooks";
import type { Answer, Arrived, Control, ControlAnswer, NotYet, Problem } from "../../protocol/http.ts";
import { useLive } from "./live.ts";

/** Rejects only if the request was aborted through `signal`. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<Arrived<T>> {
  try {
    const response = await fetch(path, signal === undefined ? {} : { signal });
    return await answerOf<T>(response);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { state: "problem", problem: "The server does not respond." };
  }
}

/** Controls the crawl that runs in the server's process. */
export async function control(change: Control): Promise<Arrived<ControlAnswer>> {
  try {
    const response = await fetch("/api/control", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(change),
    });
    return await answerOf<ControlAnswer>(response);
  } catch {
    return { state: "problem", problem: "The server does not respond. Nothing was changed." };
  }
}

/**
 * Asks when `path` changes, and again when lists may have changed; until then the old answer to the same path stays.
 * Asks nothing while `path` is null.
 */
export function useAsk<T>(path: string | null): Answer<T> {
  const { edition } = useLive();
  const [held, setHeld] = useState<{ path: string | null; answer: Answer<T> }>({ path, answer: LOADING });
  useEffect(() => {
    if (path === null) return;
    const request = new AbortController();
    ask<T>(path, request.signal).then(
      (answer) => setHeld({ path, answer }),
      () => undefined,
    );
    return () => request.abort();
  }, [path, edition]);
  return held.path === path ? held.answer : LOADING;
}

const LOADING = { state: "loading" } as const;

async function answerOf<T>(response: Response): Promise<Arrived<T>> {
  if (response.ok) return { state: "there", value: (await response.json()) as T };
  const body = (await response.json().catch(() => ({}))) as Partial<NotYet & Problem>;
  if (response.status === 503 && body.surveying !== undefined) {
    return { state: "not-yet", progress: body.surveying };
  }
  return { state: "problem", problem: body.problem ?? `The server responded with status ${response.status}.` };
}
