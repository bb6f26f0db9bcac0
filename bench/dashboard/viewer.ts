/**
 * Somebody who looks at a dashboard, without a browser: listens to its events, and asks for what stands on the pages of the tide, of pages and
 * of hosts each time there is a new survey, as the page does.
 */
const LISTS = ["/api/tide", "/api/missing", "/api/pages?count=100", "/api/hosts?count=50"];

/** Looks until the dashboard goes or `signal` is aborted; answers how many events came. */
export async function look(url: string, signal: AbortSignal): Promise<number> {
  let events = 0;
  try {
    const response = await fetch(new URL("/api/events", url), { signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const whole = text.split("\n\n");
      text = whole.pop()!;
      events += whole.length;
      if (whole.some((event) => event.startsWith("event: surveyed"))) await askAll(url, signal);
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
  }
  return events;
}

async function askAll(url: string, signal: AbortSignal): Promise<void> {
  for (const path of LISTS) await (await fetch(new URL(path, url), { signal })).text();
}
