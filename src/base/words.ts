/** Pieces of messages. */

const QUOTED_LENGTH_MAX = 60;

/** A piece of the user's file or command as a message shows it: short and printable. */
export function quoted(text: string): string {
  const short = text.length > QUOTED_LENGTH_MAX ? `${text.slice(0, QUOTED_LENGTH_MAX)}...` : text;
  return `"${short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")}"`;
}

/** "page" for 1, "pages" for any other number. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
