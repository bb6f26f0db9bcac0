/** One writer in a process of its own: it says when it is ready, begins when it is told to, and says what it wrote. */
import { once } from "node:events";
import { systemClock } from "../../src/base/index.ts";
import { type Task, writerOf, type Written } from "./writer.ts";

const task = JSON.parse(process.argv[2] ?? "") as Task;
const write = await writerOf(task);
process.send!("ready");
await once(process, "message");
const cpu = process.cpuUsage();
const startMs = systemClock.nowMs();
const secondsGone = (): number => (systemClock.nowMs() - startMs) / 1000;
let calls = 0;
while (secondsGone() < task.seconds) await write(++calls);
const { user, system } = process.cpuUsage(cpu);
const written: Written = {
  batches: calls * task.batchesPerCall,
  seconds: secondsGone(),
  cpuSeconds: (user + system) / 1e6,
};
process.send!(written, () => process.exit());
