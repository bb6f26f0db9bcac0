export { eventInWords, waitInWords } from "./events.ts";
export { REASONS, type ReasonWords } from "./missing.ts";
export { momentInWords, spanInWords } from "./moments.ts";
export { orderRule } from "./orders.ts";
export { reasonInWords, refusalInWords } from "./outcomes.ts";
export { DUST, shareAtLeast, shareAtMost, shareFigure, shareInWords } from "./shares.ts";
export { endInWords, type Standing, targetInWords } from "./stops.ts";
