export type { McpOptions } from "./options.ts";
export { serveStdio } from "./stdio.ts";
