export { decodeBv } from "./decode.ts";
export { BvEncoder, type BvSink, encodeBv } from "./encode.ts";
export type { BvFiles } from "./files.ts";
export type { BvOptions } from "./properties.ts";
export { BvRandomAccess } from "./random-access.ts";
