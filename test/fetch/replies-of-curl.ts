import { readFileSync } from "node:fs";

/** All replies of the suite at a path (sharedPath), as bytes. */
export function repliesOfCurl(path = ""): Buffer[] {
  const { cases } = JSON.parse(readFileSync(path, "utf8")) as {
    cases: readonly { readonly replies: readonly { readonly b64: string }[] }[];
  };
  return cases.flatMap(({ replies }) => replies.map(({ b64 }) => Buffer.from(b64, "base64")));
}
