import { UsageError } from "../../base/index.ts";
import { BitReader } from "./bit-reader.ts";
import type { BvProperties } from "./properties.ts";

/** The contents of the files of a BV graph. */
export interface BvFiles {
  readonly graph: Uint8Array;
  readonly properties: string;
  /** Where each row begins; random access finds out by a pass over the graph when it is missing. */
  readonly offsets?: Uint8Array;
}

export function openGraph(bytes: Uint8Array, properties: BvProperties): BitReader {
  // Even an empty row takes a bit. This bounds what is allocated for a file that lies about its size.
  if (properties.pages > 8 * bytes.byteLength) {
    throw new UsageError(
      `the .properties file says ${properties.pages} pages, more than the ${bytes.byteLength} bytes of the ` +
        ".graph file can hold: the file is truncated, or the two do not belong together",
    );
  }
  return new BitReader({ bytes, parameter: properties.format.zetaK, file: ".graph" });
}
