/** One crawl of the demo web, for tests that must not load Crawlee themselves: its task is the argument. */
import { crawlDemo } from "./crawl-demo.ts";
import type { DemoTask } from "./demo-task.ts";

const figures = await crawlDemo(JSON.parse(process.argv[2]) as DemoTask);
process.stdout.write(`${JSON.stringify(figures)}\n`);
