/**
 * What shards say to each other. Nothing of it is stored by the receiver but the URLs that it did not know, and
 * whatever is lost is said again: so a message may come late, twice, out of order or never.
 *
 * `urls`: URLs of the receiver's hosts, from a place on in the order in which the log of the sender has them, each with
 * how much has flowed there from the sender so far, all in all. `credits`: the same for URLs that were told before.
 * Messages with any of these are numbered, and acknowledged with how many URLs were heard of. Where that does not come,
 * a new stream begins with what was not heard, and all credit. A shard that has a new owner acknowledges nothing to
 * everybody, which makes them begin anew.
 *
 * An errand is a request that the receiver is to make for the sender (a robots.txt or a sitemap to which another host
 * has led, a script of a page), an answer what came of it.
 */
import { ByteReader, ByteWriter } from "../base/index.ts";
import type { RemoteRecord } from "../crawl/index.ts";
import type { FetchRequest, Reply } from "../fetch/index.ts";

/** Raised whenever other bytes are written; processes of another version do not work on the same job. */
export const MESSAGE_VERSION = 7;

export interface Acknowledgement {
  /** Of the owner whose stream it is: a later one has other streams with the same numbers. */
  readonly epoch: number;
  /** The stream, and the last message of it before which none is missing; 0 if none has come. */
  readonly stream: number;
  readonly number: number;
  /** URLs of the other side's log that were heard of. */
  readonly heard: number;
}

/** As the engine takes them: there are many, and each would be made twice. */
export type HeardUrl = Extract<RemoteRecord, { kind: "heard" }>;
export type Credit = Extract<RemoteRecord, { kind: "credited" }>;

export interface ShardMessage {
  readonly sender: number;
  readonly receiver: number;
  /** Of the owner that sends it. */
  readonly senderEpoch: number;
  readonly ack?: Acknowledgement | undefined;
  /** Of a message that is to be acknowledged. Without URLs and credits it asks how many were heard of. */
  readonly place?: Place | undefined;
  readonly urls?: { readonly first: number; readonly list: readonly HeardUrl[] } | undefined;
  readonly credits?: readonly Credit[] | undefined;
  readonly errands?: readonly Errand[] | undefined;
  readonly answers?: readonly Answer[] | undefined;
}

/** The stream of a message, and its number there. */
export interface Place {
  /** The epoch of the receiver to which the stream is told, and 0 if none is known: a later one was told nothing. */
  readonly owner: number;
  readonly stream: number;
  readonly number: number;
}

export interface Errand {
  readonly id: number;
  readonly request: FetchRequest;
}

export interface Answer {
  /** Of the owner that wanted to know: a later one has other errands with the same numbers. */
  readonly epoch: number;
  readonly id: number;
  readonly reply: Reply;
}

/** A bundle takes no further message from so many bytes on. */
const BUNDLE_BYTES = 1 << 20;

/** What shards of one worker say to those of another, as few bundles. */
export function encodeBundles(messages: readonly ShardMessage[]): Uint8Array[] {
  const bytes = new ByteWriter();
  const bundles: Uint8Array[] = [];
  for (const message of messages) {
    writeMessage(bytes, message);
    if (bytes.length >= BUNDLE_BYTES) bundles.push(bytes.take());
  }
  if (bytes.length > 0) bundles.push(bytes.take());
  return bundles;
}

export function decodeBundle(payload: Uint8Array): ShardMessage[] {
  const bytes = new ByteReader(payload);
  const messages: ShardMessage[] = [];
  while (!bytes.isAtEnd) messages.push(readMessage(bytes));
  return messages;
}

/** What a message has, one bit each: most have little. */
const Part = { Ack: 1, Place: 2, Urls: 4, Credits: 8, Errands: 16, Answers: 32 } as const;

function writeMessage(bytes: ByteWriter, message: ShardMessage): void {
  const { ack, place, urls, credits = [], errands = [], answers = [] } = message;
  bytes.number(message.sender);
  bytes.number(message.receiver);
  bytes.number(message.senderEpoch);
  bytes.number(
    (ack === undefined ? 0 : Part.Ack) |
      (place === undefined ? 0 : Part.Place) |
      (urls === undefined ? 0 : Part.Urls) |
      (credits.length === 0 ? 0 : Part.Credits) |
      (errands.length === 0 ? 0 : Part.Errands) |
      (answers.length === 0 ? 0 : Part.Answers),
  );
  if (ack !== undefined) writeAcknowledgement(bytes, ack);
  if (place !== undefined) {
    bytes.number(place.owner);
    bytes.number(place.stream);
    bytes.number(place.number);
  }
  if (urls !== undefined) {
    bytes.number(urls.first);
    bytes.number(urls.list.length);
    for (const each of urls.list) {
      writeCredit(bytes, each);
      bytes.number(each.depth);
      bytes.text(each.url);
    }
  }
  if (credits.length > 0) {
    bytes.number(credits.length);
    for (const each of credits) writeCredit(bytes, each);
  }
  if (errands.length > 0) {
    bytes.number(errands.length);
    for (const { id, request } of errands) {
      bytes.number(id);
      bytes.text(JSON.stringify(request));
    }
  }
  if (answers.length === 0) return;
  bytes.number(answers.length);
  for (const { epoch, id, reply } of answers) {
    bytes.number(epoch);
    bytes.number(id);
    writeReply(bytes, reply);
  }
}

function readMessage(bytes: ByteReader): ShardMessage {
  const sender = bytes.number();
  const receiver = bytes.number();
  const senderEpoch = bytes.number();
  const parts = bytes.number();
  const has = (part: number): boolean => (parts & part) !== 0;
  return {
    sender,
    receiver,
    senderEpoch,
    ack: has(Part.Ack) ? readAcknowledgement(bytes) : undefined,
    place: has(Part.Place) ? readPlace(bytes) : undefined,
    urls: has(Part.Urls) ? { first: bytes.number(), list: readList(bytes, sender, readUrl) } : undefined,
    credits: has(Part.Credits) ? readList(bytes, sender, readCredit) : undefined,
    errands: has(Part.Errands) ? readList(bytes, sender, readErrand) : undefined,
    answers: has(Part.Answers) ? readList(bytes, sender, readAnswer) : undefined,
  };
}

function writeCredit(bytes: ByteWriter, { high, low, total, hops }: Omit<Credit, "kind">): void {
  bytes.uint32(high);
  bytes.uint32(low);
  bytes.double(total);
  bytes.number(hops);
}

function readCredit(bytes: ByteReader, sender: number): Credit {
  return {
    kind: "credited",
    sender,
    high: bytes.uint32(),
    low: bytes.uint32(),
    total: bytes.double(),
    hops: bytes.number(),
  };
}

function readUrl(bytes: ByteReader, sender: number): HeardUrl {
  return {
    kind: "heard",
    sender,
    high: bytes.uint32(),
    low: bytes.uint32(),
    total: bytes.double(),
    hops: bytes.number(),
    depth: bytes.number(),
    url: bytes.text(),
  };
}

function readErrand(bytes: ByteReader): Errand {
  return { id: bytes.number(), request: JSON.parse(bytes.text()) as FetchRequest };
}

function readAnswer(bytes: ByteReader): Answer {
  return { epoch: bytes.number(), id: bytes.number(), reply: readReply(bytes) };
}

function writeAcknowledgement(bytes: ByteWriter, { epoch, stream, number, heard }: Acknowledgement): void {
  bytes.number(epoch);
  bytes.number(stream);
  bytes.number(number);
  bytes.number(heard);
}

function readAcknowledgement(bytes: ByteReader): Acknowledgement {
  return { epoch: bytes.number(), stream: bytes.number(), number: bytes.number(), heard: bytes.number() };
}

function readPlace(bytes: ByteReader): Place {
  return { owner: bytes.number(), stream: bytes.number(), number: bytes.number() };
}

/** A body apart from the rest, because it is bytes. */
function writeReply(bytes: ByteWriter, reply: Reply): void {
  if (reply.kind === "failure") {
    bytes.text(JSON.stringify(reply));
    bytes.number(0);
    return;
  }
  const { body, ...rest } = reply;
  bytes.text(JSON.stringify(rest));
  bytes.number(1);
  bytes.bytes(body);
}

function readReply(bytes: ByteReader): Reply {
  const rest = JSON.parse(bytes.text()) as Reply;
  return bytes.number() === 0 ? rest : ({ ...rest, body: bytes.bytes() } as Reply);
}

function readList<Item>(
  bytes: ByteReader,
  sender: number,
  read: (bytes: ByteReader, sender: number) => Item,
): readonly Item[] {
  const list: Item[] = [];
  for (let left = bytes.number(); left > 0; left--) list.push(read(bytes, sender));
  return list;
}
