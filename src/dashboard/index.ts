export type { SurveyProgress, TidePoint } from "../survey/index.ts";
export type { Control, HostLine } from "./protocol/http.ts";
export type { CrawlPort, FromCrawl, ToCrawl } from "./protocol/thread.ts";
export { checkToken } from "./server/guard.ts";
export { type DashboardServer, type ServerOptions, startServer } from "./server/server.ts";
export { type ServerThread, type ServerThreadOptions, startServerThread } from "./server/server-thread.ts";
