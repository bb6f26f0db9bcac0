/**
 * A viewer of a dashboard, without a browser: it listens to the events and, like the page, requests the data of the
 * tide, of pages and of hosts each time there is a new survey.
 */
const LISTS = ["/api/tide", "/api/missing", "/api/pages?count=100", "/api/hosts?count=50"];

/** Watches until the dashboard closes or `signal` is aborted. Returns the number of events. */
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
