/** What users do with a CheerioCrawler besides: a router, labels, a delay per host, which puts requests off. */
import { expect, it } from "vitest";
import { runProgram } from "./user-program.ts";

const PROGRAM = `
import { CheerioCrawler, Configuration, createCheerioRouter, Request } from "@crawlee/cheerio";
import { ImportanceQueue } from "tidemark/crawlee";

const router = createCheerioRouter();
router.addHandler("LATER", async ({ request, enqueueLinks }) => {
  console.log("later " + new URL(request.url).pathname);
  await enqueueLinks({ label: "LATER" });
});
router.addHandler("START", ({ addRequests, request }) =>
  addRequests(["/a", "/b"].map((path) => ({ url: new URL(path, request.url).href, label: "LATER" }))),
);
const queue = new ImportanceQueue({ Request, seeds: [process.argv[2]] });
const options = { requestQueue: queue, requestHandler: queue.handler(router), sameDomainDelaySecs: 0.1 };
const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false }));
const { requestsFinished } = await crawler.run([{ url: process.argv[2], label: "START" }]);
console.log(requestsFinished + " requests, " + queue.certificate().coverage);
`;

it("a router, labels and a delay per host work as with Crawlee's own queue", async () => {
  const output = await runProgram(PROGRAM);
  const later = [...output.matchAll(/^later (.*)$/gm)].map(([, path]) => path);
  // The seed is linked from other pages, and requested once: with the label that it was added with.
  expect(later.toSorted()).toEqual(["/a", "/b", "/c"]);
  expect(output).toMatch(/^4 requests, 1$/m);
});
