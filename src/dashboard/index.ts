export type { FromCrawl, ToCrawl } from "./protocol/thread.ts";
export type { Control, Politeness, HostLine } from "./protocol/http.ts";
export type { TidePoint, SurveyProgress } from "../survey/index.ts";
export { type Beside, type BesideOptions, startBeside } from "./server/server-thread.ts";
export { checkToken } from "./server/guard.ts";
export type { CrawlPort } from "./server/live.ts";
export { type DashboardServer, type ServerOptions, startServer } from "./server/server.ts";
