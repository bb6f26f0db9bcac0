import { expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { parseHeader } from "../../src/fetch/index.ts";

it.each([
  ["Accept-Language: de, en;q=0.5", ["accept-language", "de, en;q=0.5"]],
  ["X-Empty:", ["x-empty", ""]],
  ["X-Colon:a:b ", ["x-colon", "a:b"]],
])("a header is a name and a value: %s", (text, pair) => expect(parseHeader(text)).toEqual(pair));

it.each([
  ["Authorization: Basic hunter2", "--auth-file FILE or the variable TIDEMARK_AUTH"],
  ["proxy-authorization: hunter2", "https_proxy"],
  ["COOKIE: sid=hunter2", "--cookie-file FILE"],
  ["User-Agent: hunter2", "give --user-agent"],
  ["Host: hunter2", "sets this header itself"],
  ["Content-Length: hunter2", "sets this header itself"],
  ["If-None-Match: hunter2", "sets this header itself"],
  ["Accept-Encoding: hunter2", "sets this header itself"],
  ["hunter2", "expected a name, a colon and a value"],
  [": hunter2", "expected a name, a colon and a value"],
  ["X Y: hunter2", "expected a name, a colon and a value"],
  ["X-A: hunter2\r\nX-B: c", "characters that no header can hold"],
  ["X-A: hunter2\u20ac", "characters that no header can hold"],
])("%j is refused, and the error does not repeat its value", (text, why) => {
  let message = "";
  try {
    parseHeader(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    message = (error as Error).message;
  }
  expect(message).toContain(why);
  expect(message).not.toContain("hunter2");
});
