/**
 * A web of many hosts on loopback, and the name server that knows them, in a process of their own. A third of the hosts
 * of `mixed.test` do not exist or are found only after five seconds, in turn; those of `sound.test` are all found at
 * once. Every page links to other hosts.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSocket } from "node:dgram";
import type { NamesWeb } from "./names-figures.ts";

const LINKS_PER_PAGE = 20;
const PAGES_PER_HOST = 4;
const SLOW_MS = 5_000;
const NXDOMAIN = 3;
const TYPE_A = 1;

const hosts = Number(process.argv[2]);

const pages = createServer(({ url = "/", headers }, response) => {
  if (url === "/robots.txt") return void response.writeHead(404).end();
  const [, number = "0", domain = "sound.test"] = /^h(\d+)\.([a-z.]+)/.exec(headers.host ?? "") ?? [];
  const place = Number(number) * PAGES_PER_HOST + Number(url.slice(1));
  const links = Array.from({ length: LINKS_PER_PAGE }, (_, k) => {
    const to = (place * 7919 + k * 104_729 + 1) % (hosts * PAGES_PER_HOST);
    const host = Math.floor(to / PAGES_PER_HOST);
    return `<a href="http://h${host}.${domain}:${port}/${to % PAGES_PER_HOST}">${to}</a>`;
  });
  response.writeHead(200, { "content-type": "text/html" }).end(links.join("\n"));
});
await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
const { port } = pages.address() as AddressInfo;

const names = createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 });
names.on("message", (query, { port: from, address }) => {
  // The name of a host of ours has three labels; its number is in the first, behind an h.
  const first = query.toString("latin1", 14, 13 + query[12]);
  const isMixed = query.toString("latin1", 14 + query[12], 19 + query[12]) === "mixed";
  const number = Number(first);
  const isMissing = isMixed && number % 6 === 1;
  const isSlow = isMixed && number % 6 === 4;
  const answer = answerTo(query, isMissing);
  if (isSlow) setTimeout(() => names.send(answer, from, address), SLOW_MS);
  else names.send(answer, from, address);
});
await new Promise<void>((resolve) => names.bind(0, "127.0.0.1", resolve));
const web: NamesWeb = { pagesPort: port, dns: `127.0.0.1:${names.address().port}` };
process.stdout.write(`${JSON.stringify(web)}\n`);

/** 127.0.0.1, for an hour; nothing for other types than A. */
function answerTo(query: Buffer, isMissing: boolean): Buffer {
  let end = 12;
  while (query[end] !== 0) end += 1 + query[end];
  const hasAddress = !isMissing && query.readUInt16BE(end + 1) === TYPE_A;
  const question = query.subarray(12, end + 5);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (isMissing ? NXDOMAIN : 0), 2);
  [1, hasAddress ? 1 : 0, 0, 0].forEach((count, k) => head.writeUInt16BE(count, 4 + 2 * k));
  const address = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 14, 16, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([head, question, ...(hasAddress ? [address] : [])]);
}
