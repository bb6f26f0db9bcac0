/** The thread that certifies a large crawl, so that the user can skip it. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { certifyLog } from "../../crawl/index.ts";
import { openCrawlReadOnly } from "../../store/index.ts";
import type { Certified } from "./run.ts";

assert(parentPort !== null, "certify-worker runs as a worker thread only");
const store = openCrawlReadOnly(workerData as string);
try {
  const { certificate, missing } = certifyLog(store);
  const certified: Certified = { coverage: certificate.coverage, missing };
  parentPort.postMessage(certified, []);
} finally {
  store.close();
}
