/**
 * Crawlee plug-in: a CheerioCrawler that fetches the most important pages first, and stops when 90% of the importance
 * is proved.
 *
 *     npm install @crawlee/cheerio
 *     node crawlee.mjs https://www.example.com/
 */
import { CheerioCrawler, Configuration, Request } from "@crawlee/cheerio";
import { ImportanceQueue } from "tidemark/crawlee";

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error("expected the URL of a site");
  process.exit(2);
}

const queue = new ImportanceQueue({ Request, seeds: [start], coverage: 0.9 });
const crawler = new CheerioCrawler(
  {
    requestQueue: queue,
    requestHandler: queue.handler(async ({ request, enqueueLinks }) => {
      console.log(request.loadedUrl);
      // Pictures of the site would be dropped links: they lower nothing but the strict number.
      await enqueueLinks({ exclude: ["**/*.{png,jpg,svg}"] });
    }),
    maxRequestsPerCrawl: 1000,
  },
  new Configuration({ persistStorage: false }),
);
await crawler.run();

const { downloaded, coverage, strict } = queue.certificate();
console.log(`${downloaded} pages hold at least ${percent(coverage)} of all importance`);
console.log(`${percent(strict)} if what the filter dropped counts`);
for (const { reason, mass } of queue.missing().slice(0, 3)) console.log(`missing: ${percent(mass)} ${reason}`);

/** Cut, never rounded up: it is a proof. */
function percent(share) {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
