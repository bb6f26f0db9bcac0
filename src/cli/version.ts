export { packageVersion } from "../base/index.ts";
