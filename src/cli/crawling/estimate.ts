export { Estimate } from "../../crawl/index.ts";
