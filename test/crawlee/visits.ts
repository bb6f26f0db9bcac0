/** A queue on a small web, visited page by page. Damping is 0.5: of the lives at a page, half end, half go on. */
import { onTestFinished, vi } from "vitest";
import { ImportanceQueue, type ImportanceQueueOptions } from "../../src/crawlee/index.ts";
import { type FakeContext, FakeRequest } from "./fake-crawler.ts";

const HOST = "http://a.example";
export const SEED = `${HOST}/`;

export function queueOf(options: Partial<ImportanceQueueOptions<FakeRequest>> = {}): ImportanceQueue<FakeRequest> {
  return new ImportanceQueue({ Request: FakeRequest, seeds: [SEED], damping: 0.5, ...options });
}

/** Hands out the next request, and brings back a page with these links, of which the handler takes some. */
export async function visit(
  queue: ImportanceQueue<FakeRequest>,
  links: readonly string[],
  handle: (context: FakeContext) => unknown = () => queue.addRequestsBatched(links.map(urlOf)),
  loadedUrl?: string,
): Promise<string> {
  const request = await queue.fetchNextRequest();
  if (request === null) throw new Error("nothing was handed out");
  const body = links.map((link) => `<a href="${link}">x</a>`).join("");
  request.loadedUrl = loadedUrl ?? request.url;
  await queue.handler(handle)({ request, response: { statusCode: 200 }, body, contentType: { type: "text/html" } });
  request.state = 4;
  await queue.markRequestHandled(request);
  return request.url;
}

export const urlOf = (path: string) => new URL(path, SEED).href;

export function watchWarnings() {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return warn;
}
