/** The thread that certifies a large crawl, so that the user can skip it. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { openCrawlReadOnly } from "../../store/index.ts";
import { certifiedLog } from "./run.ts";

assert(parentPort !== null, "certify-worker runs as a worker thread only");
const store = openCrawlReadOnly(workerData as string);
try {
  parentPort.postMessage(certifiedLog(store), []);
} finally {
  store.close();
}
