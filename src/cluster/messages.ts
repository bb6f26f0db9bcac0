/**
 * What shards say to each other. Nothing of it is stored by the receiver but the URLs that it did not know, and
 * whatever is lost is said again: so a message may come late, twice, out of order or never.
 *
 * `urls`: URLs of the receiver's hosts, from a place on in the order in which the log of the sender has them.
 * `credits`: how much has flowed to some of them from the sender so far, all in all. Messages with any of these are
 * numbered, and acknowledged with how many URLs were heard of. Where that does not come, a new stream begins with what
 * was not heard, and all credit. A shard that has a new owner acknowledges nothing to everybody, which makes them
 * begin anew.
 *
 * An errand is a request that the receiver is to make for the sender (a robots.txt or a sitemap to which another host
 * has led, a script of a page), an answer what came of it.
 */
import { ByteReader, ByteWriter } from "../base/index.ts";
import type { FetchRequest, Reply } from "../fetch/index.ts";

/** Raised whenever other bytes are written; processes of another version do not work on the same job. */
export const MESSAGE_VERSION = 5;

export interface Acknowledgement {
  /** Of the owner whose stream it is: a later one has other streams with the same numbers. */
  readonly epoch: number;
  /** The stream, and the last message of it before which none is missing; 0 if none has come. */
  readonly stream: number;
  readonly number: number;
  /** URLs of the other side's log that were heard of. */
  readonly heard: number;
}

export interface HeardUrl {
  readonly url: string;
  readonly depth: number;
  /** How many redirects in a row lead there. */
  readonly hops: number;
}

/** By the halves of the fingerprint of the URL. */
export interface Credit {
  readonly high: number;
  readonly low: number;
  readonly total: number;
  readonly hops: number;
}

export interface ShardMessage {
  readonly sender: number;
  readonly receiver: number;
  /** Of the owner that sends it. */
  readonly senderEpoch: number;
  readonly ack?: Acknowledgement;
  /** Of a message that is to be acknowledged. Without URLs and credits it asks how many were heard of. */
  readonly place?: { readonly stream: number; readonly number: number };
  readonly urls?: { readonly first: number; readonly list: readonly HeardUrl[] };
  readonly credits?: readonly Credit[];
  readonly errands?: readonly { readonly id: number; readonly request: FetchRequest }[];
  readonly answers?: readonly Answer[];
}

export interface Answer {
  /** Of the owner that wanted to know: a later one has other errands with the same numbers. */
  readonly epoch: number;
  readonly id: number;
  readonly reply: Reply;
}

/** What the shards of a worker say to one shard. */
export function encodeBundle(messages: readonly ShardMessage[]): Uint8Array {
  const bytes = new ByteWriter();
  for (const message of messages) writeMessage(bytes, message);
  return bytes.take();
}

export function decodeBundle(payload: Uint8Array, receiver: number): ShardMessage[] {
  const bytes = new ByteReader(payload);
  const messages: ShardMessage[] = [];
  while (!bytes.isAtEnd) messages.push(readMessage(bytes, receiver));
  return messages;
}

function writeMessage(bytes: ByteWriter, message: ShardMessage): void {
  const { ack, place, urls, credits = [], errands = [], answers = [] } = message;
  bytes.number(message.sender);
  bytes.number(message.senderEpoch);
  bytes.number(ack === undefined ? 0 : 1);
  for (const each of ack === undefined ? [] : [ack.epoch, ack.stream, ack.number, ack.heard]) bytes.number(each);
  bytes.number(place === undefined ? 0 : 1);
  for (const each of place === undefined ? [] : [place.stream, place.number]) bytes.number(each);
  bytes.number(urls?.first ?? 0);
  writeList(bytes, urls?.list ?? [], ({ url, depth, hops }) => {
    bytes.text(url);
    bytes.number(depth);
    bytes.number(hops);
  });
  writeList(bytes, credits, ({ high, low, total, hops }) => {
    bytes.uint32(high);
    bytes.uint32(low);
    bytes.double(total);
    bytes.number(hops);
  });
  writeList(bytes, errands, ({ id, request }) => {
    bytes.number(id);
    bytes.text(JSON.stringify(request));
  });
  writeList(bytes, answers, ({ epoch, id, reply }) => {
    bytes.number(epoch);
    bytes.number(id);
    writeReply(bytes, reply);
  });
}

function readMessage(bytes: ByteReader, receiver: number): ShardMessage {
  const sender = bytes.number();
  const senderEpoch = bytes.number();
  const ack = bytes.number() === 0 ? undefined : readAcknowledgement(bytes);
  const place = bytes.number() === 0 ? undefined : { stream: bytes.number(), number: bytes.number() };
  const first = bytes.number();
  const list = readList(bytes, () => ({ url: bytes.text(), depth: bytes.number(), hops: bytes.number() }));
  const credits = readList(bytes, () => ({
    high: bytes.uint32(),
    low: bytes.uint32(),
    total: bytes.double(),
    hops: bytes.number(),
  }));
  const errands = readList(bytes, () => ({ id: bytes.number(), request: JSON.parse(bytes.text()) as FetchRequest }));
  const answers = readList(bytes, () => ({ epoch: bytes.number(), id: bytes.number(), reply: readReply(bytes) }));
  return {
    sender,
    receiver,
    senderEpoch,
    ...(ack === undefined ? {} : { ack }),
    ...(place === undefined ? {} : { place }),
    urls: { first, list },
    credits,
    errands,
    answers,
  };
}

function readAcknowledgement(bytes: ByteReader): Acknowledgement {
  return { epoch: bytes.number(), stream: bytes.number(), number: bytes.number(), heard: bytes.number() };
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

function writeList<Item>(bytes: ByteWriter, list: readonly Item[], write: (item: Item) => void): void {
  bytes.number(list.length);
  for (const item of list) write(item);
}

function readList<Item>(bytes: ByteReader, read: () => Item): Item[] {
  return Array.from({ length: bytes.number() }, read);
}
