export type { Control } from "./protocol/http.ts";
export { checkToken } from "./server/guard.ts";
export { type DashboardServer, type ServerOptions, startServer } from "./server/server.ts";
export { type ServerThread, type ServerThreadOptions, startServerThread } from "./server/server-thread.ts";
