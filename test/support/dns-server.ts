/**
 * A name server on loopback, over UDP and TCP (RFC 1035, the parts that a crawler meets). What it answers is up to the
 * zone that it is given, which may take its time; every question is recorded.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo, isIPv4, isIPv6, type Socket } from "node:net";

interface DnsQuestion {
  readonly name: string;
  readonly type: "A" | "AAAA" | "other";
  readonly over: "udp" | "tcp";
}

export interface DnsReply {
  /** Of the kind that is asked for, those of the other kind are left out. */
  readonly addresses?: readonly string[];
  /** Seconds (default: 60). */
  readonly ttl?: number;
  /** Names that lead from the one asked for to the one that has the addresses, each with its TTL in seconds. */
  readonly aliases?: readonly (readonly [name: string, ttl: number])[];
  readonly failure?: keyof typeof RCODES;
  /** Over UDP nothing but "ask again over TCP". */
  readonly truncated?: boolean;
}

/** Undefined: no answer at all. */
export type DnsZone = (question: DnsQuestion) => DnsReply | undefined | Promise<DnsReply | undefined>;

export interface DnsServer {
  /** As `--dns` takes it. */
  readonly address: string;
  readonly questions: readonly DnsQuestion[];
  close(): Promise<void>;
}

const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;

export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const questions: DnsQuestion[] = [];
  const answerTo = async (query: Buffer, over: "udp" | "tcp"): Promise<Buffer | undefined> => {
    const question = { ...questionIn(query), over };
    questions.push(question);
    const reply = await zone(question);
    return reply === undefined ? undefined : encoded(query, question, reply);
  };
  const udp = createSocket("udp4");
  udp.on("message", (query, { address, port }) => {
    void answerTo(query, "udp").then((answer) => {
      if (answer !== undefined && !isClosed) udp.send(answer, port, address);
    });
  });
  let isClosed = false;
  const sockets = new Set<Socket>();
  const tcp = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const query = received.subarray(2, end);
        received = received.subarray(end);
        void answerTo(query, "tcp").then((answer) => {
          if (answer !== undefined && !socket.destroyed) socket.write(Buffer.concat([uint16(answer.length), answer]));
        });
      }
    });
  });
  // Both on one port: TCP takes a free one first, and UDP the same.
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    address: `127.0.0.1:${port}`,
    questions,
    close: async () => {
      isClosed = true;
      udp.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

function questionIn(query: Buffer): Pick<DnsQuestion, "name" | "type"> {
  const { name, end } = nameAt(query, HEADER_BYTES);
  const type = query.readUInt16BE(end);
  return { name, type: type === TYPES.A ? "A" : type === TYPES.AAAA ? "AAAA" : "other" };
}

function nameAt(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  while (message[at] !== 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + message[at]));
    at += 1 + message[at];
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function encoded(query: Buffer, { type, over }: DnsQuestion, reply: DnsReply): Buffer {
  const { addresses = [], aliases = [], ttl = 60, failure } = reply;
  const isTruncated = reply.truncated === true && over === "udp";
  const isWanted = type === "A" ? isIPv4 : type === "AAAA" ? isIPv6 : () => false;
  const { end } = nameAt(query, HEADER_BYTES);
  // The name that was asked for stands right behind the header; records refer to it.
  let owner: Buffer = Buffer.from([0xc0, HEADER_BYTES]);
  const records: Buffer[] = [];
  if (!isTruncated && (failure === undefined || aliases.length > 0)) {
    for (const [name, seconds] of aliases) {
      records.push(record(owner, TYPES.CNAME, seconds, encodedName(name)));
      owner = encodedName(name);
    }
    for (const address of addresses.filter(isWanted)) {
      records.push(record(owner, isIPv4(address) ? TYPES.A : TYPES.AAAA, ttl, addressBytes(address)));
    }
  }
  const flags = 0x8180 | (isTruncated ? 0x0200 : 0) | (failure === undefined ? 0 : RCODES[failure]);
  const header = [query.readUInt16BE(0), flags, 1, records.length, 0, 0].map(uint16);
  return Buffer.concat([...header, query.subarray(HEADER_BYTES, end + 4), ...records]);
}

function record(owner: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(ttl);
  return Buffer.concat([owner, uint16(type), uint16(1), seconds, uint16(data.length), data]);
}

function encodedName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [left = "", right] = address.split("::");
  const groups = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((each) => Number.parseInt(each, 16));
  const [head, tail] = [groups(left), groups(right ?? "")];
  const zeros: number[] = right === undefined ? [] : Array(8 - head.length - tail.length).fill(0);
  return Buffer.concat([...head, ...zeros, ...tail].map(uint16));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
