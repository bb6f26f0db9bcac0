export { type DemoServer, startDemoServer } from "./server.ts";
export { DEMO_PAGES, DEMO_SEED, SITES } from "./sites.ts";
