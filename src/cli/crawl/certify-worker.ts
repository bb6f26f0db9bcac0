/** The thread in which the certificate of a large crawl is computed, so that the user can do without it. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { certifyLog } from "../../crawl/index.ts";
import { openCrawlReadOnly } from "../../store/index.ts";
import type { Concluded } from "./conclusion.ts";

assert(parentPort !== null, "certify-worker runs as a worker thread only");
const store = openCrawlReadOnly(workerData as string);
try {
  const { certificate, missing } = certifyLog(store);
  const concluded: Concluded = { coverage: certificate.coverage, missing };
  parentPort.postMessage(concluded, []);
} finally {
  store.close();
}
