/** Questions to the server. Every answer is one of four: not there yet, there, "the survey is still being made", or a problem in words. */
import { useEffect, useState } from "preact/hooks";
import type { Answer, Control, ControlAnswer, NotYet, Problem } from "../../protocol/http.ts";
import { useLive } from "./live.ts";

export type { Answer };

/** Asks once. Rejects only where the question was taken back through `signal`. */
export async function ask<T>(
  path: string,
  signal?: AbortSignal,
): Promise<Exclude<Answer<T>, { state: "loading" }>> {
  try {
    const response = await fetch(path, signal === undefined ? {} : { signal });
    return await answerOf<T>(response);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { state: "problem", problem: "The server does not answer." };
  }
}

/** Asks for a change of the crawl that runs beside the server. */
export async function control(
  change: Control,
): Promise<Exclude<Answer<ControlAnswer>, { state: "loading" }>> {
  try {
    const response = await fetch("/api/control", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(change),
    });
    return await answerOf<ControlAnswer>(response);
  } catch {
    return { state: "problem", problem: "The server does not answer, so nothing was changed." };
  }
}

/**
 * Asks whenever `path` changes, and again whenever lists may have changed; meanwhile the old answer to the same path stays. Nothing is
 * asked while `path` is null.
 */
export function useAsk<T>(path: string | null): Answer<T> {
  const { edition } = useLive();
  const [held, setHeld] = useState<{ path: string | null; answer: Answer<T> }>({ path, answer: LOADING });
  useEffect(() => {
    if (path === null) return;
    const asking = new AbortController();
    ask<T>(path, asking.signal).then(
      (answer) => setHeld({ path, answer }),
      () => undefined,
    );
    return () => asking.abort();
  }, [path, edition]);
  return held.path === path ? held.answer : LOADING;
}

const LOADING = { state: "loading" } as const;

async function answerOf<T>(response: Response): Promise<Exclude<Answer<T>, { state: "loading" }>> {
  if (response.ok) return { state: "there", value: (await response.json()) as T };
  const body = (await response.json().catch(() => ({}))) as Partial<NotYet & Problem>;
  if (response.status === 503 && body.surveying !== undefined) {
    return { state: "not-yet", progress: body.surveying };
  }
  return { state: "problem", problem: body.problem ?? `The server answered with status ${response.status}.` };
}
