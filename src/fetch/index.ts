export type { Answer, Failure, Fetcher, FetchRequest, Reply } from "./contract.ts";
export { type FailureName, failureNames } from "./failures.ts";
