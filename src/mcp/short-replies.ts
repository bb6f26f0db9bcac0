/**
 * A transport whose replies are never too long. The limit holds for what is sent: the JSON of the whole message, with
 * its escapes, where a text and a document that say the same count twice. Errors of the SDK are bounded as well: they
 * repeat what a client has sent.
 */
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult, JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js";
import { jsonTokenCounter, TOKENS_MAX } from "./token-limits.ts";

const TOO_LONG = `the reply has more than ${TOKENS_MAX} tokens: ask for less, with a smaller limit, shorter arguments`;

export class ShortReplies implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  readonly #transport: Transport;
  readonly #counted = new Set<Promise<void>>();

  constructor(transport: Transport) {
    this.#transport = transport;
    Object.assign(transport, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage, extra?: MessageExtraInfo) => this.onmessage?.(message, extra),
    });
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // No token is shorter than a byte: most replies need not be counted, nor the table of tokens be loaded.
    if (Buffer.byteLength(JSON.stringify(message)) <= TOKENS_MAX) return this.#transport.send(message, options);
    const sent = shortened(message).then((short) => this.#transport.send(short, options));
    const settled = sent.catch(() => {});
    this.#counted.add(settled);
    void settled.then(() => this.#counted.delete(settled));
    return sent;
  }

  /** Resolves when all that was to be sent is on its way. */
  async flush(): Promise<void> {
    await Promise.all(this.#counted);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** The message, or an error in its place. */
async function shortened(message: JSONRPCMessage): Promise<JSONRPCMessage> {
  const count = await jsonTokenCounter();
  if (count(JSON.stringify(message), TOKENS_MAX) !== undefined) return message;
  if ("result" in message) {
    const result: CallToolResult = { content: [{ type: "text", text: TOO_LONG }], isError: true };
    return { ...message, result };
  }
  return "error" in message ? { ...message, error: { code: message.error.code, message: TOO_LONG } } : message;
}
