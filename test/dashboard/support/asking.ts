/** Questions over real HTTP, with whatever headers a test wants: `fetch` would not send a wrong Host. */
import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function ask(url: string, { method = "GET", headers = {}, body }: AskOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** The answer to a question that must be answered well. */
export async function answer<T>(url: string): Promise<T> {
  const { status, text } = await ask(url);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Bytes as they are, and what comes back until the connection ends. */
export function askRaw(port: number, text: string, host = "127.0.0.1"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(text));
    let reply = "";
    socket.setTimeout(60_000, () => socket.destroy(new Error("no end")));
    socket.on("data", (piece: Buffer) => {
      reply += piece.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(reply));
  });
}

export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id: string | undefined;
}

/** Somebody who listens to `/api/events`. */
export class EventListener {
  readonly events: SentEvent[] = [];
  readonly comments: string[] = [];
  status = 0;
  hasEnded = false;
  #close: () => void = () => {};
  #wake: () => void = () => {};

  static open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventListener> {
    const listener = new EventListener();
    return new Promise((resolve, reject) => {
      const asked = request(url, { headers, agent: false }, (response) => {
        listener.status = response.statusCode ?? 0;
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
          for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
            listener.#take(text.slice(0, end));
            text = text.slice(end + 2);
          }
        });
        const ended = () => {
          listener.hasEnded = true;
          listener.#wake();
        };
        response.on("close", ended);
        response.on("error", ended);
        resolve(listener);
      });
      asked.on("error", (error) => {
        listener.hasEnded = true;
        reject(error);
      });
      asked.end();
      listener.#close = () => asked.destroy();
    });
  }

  close(): void {
    this.#close();
  }

  /** The first event for which this holds, from those that came and those to come. */
  async until(holds: (event: SentEvent) => boolean): Promise<SentEvent> {
    for (;;) {
      const found = this.events.find(holds);
      if (found !== undefined) return found;
      if (this.hasEnded) throw new Error("the stream has ended");
      await this.#next();
    }
  }

  async ended(): Promise<void> {
    while (!this.hasEnded) await this.#next();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(block: string): void {
    const field = (name: string) =>
      block
        .split("\n")
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    if (block.startsWith(":")) this.comments.push(block);
    else
      this.events.push({
        event: field("event") ?? "",
        data: JSON.parse(field("data") ?? "null") as unknown,
        id: field("id"),
      });
    this.#wake();
  }
}
