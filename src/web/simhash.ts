/**
 * SimHash of the words of an HTML page: 64 bits, of which pages with nearly the same words have nearly all in common.
 * Moses Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002; with shingles of words and
 * distance 3 as Gurmeet Manku, Arvind Jain and Anish Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007.
 *
 * Each run of three words is hashed to 64 bits. Bit i of the result is 1 if it is 1 in more than half of these hashes.
 * There is no seed, so two crawls can be compared.
 *
 * Words are runs of ASCII letters, digits and bytes from 0x80, in lower case; in UTF-8 each character from U+3000 to
 * U+DFFF (Chinese, Japanese, Korean) is a word of its own. Character references are words like others. Tags, comments,
 * and what stands in elements that show no text are left out. A tag ends at the first ">": one in an attribute makes
 * words of the rest of it. That is no tree, but the same for two copies of a page, however their links are read.
 *
 * Cost: one pass over the bytes, then a few operations per word. The counts of all 64 bits are held bit by bit: integer
 * k has bit k of 32 counts, so one `^` and one `&` add to all of them.
 */

/** A page with fewer shows its text by scripts, or has none: such pages would all look alike. */
const WORDS_MIN = 20;
/** Further ones are not read. So many are more than the longest menu, which all pages of a site have in common. */
const WORDS_MAX = 16_384;

/** Of FNV-1a, by which words are hashed. */
const PRIME = 0x01000193;

const LESS = 0x3c;
const MORE = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;

/** Stands for the first byte of a character that is a word of its own. */
const IDEOGRAPH = 1;
/** What each byte is in a word; 0 for what separates words. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xe3 && byte <= 0xed) return IDEOGRAPH;
  return byte >= 0x80 ? byte : /[a-z0-9]/i.test(String.fromCharCode(byte)) ? byte | 0x20 : 0;
});

/** Elements whose contents are raw text that nobody sees. */
const UNSEEN = ["script", "style", "iframe", "noembed", "noframes"].map((name) => Buffer.from(name));
/** By their first letters, a bit for each second one: enough to tell most tags from them. */
const UNSEEN_STARTS = new Uint32Array(32);
for (const [first, second] of UNSEEN) UNSEEN_STARTS[first & 31] |= 1 << (second & 31);

/** Of the page at hand, made once for all pages: the hashes of its words, and bit k of each of 32 counts. */
const words = new Int32Array(WORDS_MAX);
const PLANES = 14;
const planes = new Int32Array(PLANES);

/** The SimHash of a page as 8 bytes; null if it has too few words. `isXml`: the page is read by the rules of XML. */
export function simhash(body: Uint8Array, isXml = false): Uint8Array | null {
  const count = readWords(body, isXml);
  if (count < WORDS_MIN) return null;
  const halves = [majority(count, 0), majority(count, 0x5bd1e995)];
  // A view of the buffer of so small an array would move it out of the heap, which takes longer.
  const hash = new Uint8Array(8);
  for (let k = 0; k < 8; k++) hash[k] = halves[k >> 2] >>> (24 - 8 * (k & 3));
  return hash;
}

/** Returns how many there are. */
function readWords(body: Uint8Array, isXml: boolean): number {
  const end = body.length;
  let count = 0;
  let at = 0;
  while (at < end && count < WORDS_MAX) {
    const byte = body[at++];
    const letter = LETTERS[byte];
    if (letter === 0) {
      if (byte === LESS) at = afterMarkup(body, at, isXml);
    } else if (letter === IDEOGRAPH && isIdeograph(body, at - 1)) {
      words[count++] = (byte << 16) | (body[at] << 8) | body[at + 1];
      at += 2;
    } else {
      let word = Math.imul(letter === IDEOGRAPH ? byte : letter, PRIME);
      for (; at < end; at++) {
        const next = LETTERS[body[at]];
        if (next > IDEOGRAPH) word = Math.imul(word ^ next, PRIME);
        else if (next === 0 || isIdeograph(body, at)) break;
        else word = Math.imul(word ^ body[at], PRIME);
      }
      words[count++] = word;
    }
  }
  return count;
}

/** Whether three bytes are a character of UTF-8: in other encodings, the first may be a letter like others. */
function isIdeograph(body: Uint8Array, at: number): boolean {
  return (body[at + 1] & 0xc0) === 0x80 && (body[at + 2] & 0xc0) === 0x80;
}

/** The position after a tag, a comment or an unseen element whose "<" is just before `start`. */
function afterMarkup(body: Uint8Array, start: number, isXml: boolean): number {
  const first = body[start];
  if (first === EXCLAMATION && body[start + 1] === DASH && body[start + 2] === DASH) return afterComment(body, start);
  const letter = first | 0x20;
  const isTag = (letter >= 0x61 && letter <= 0x7a) || first === SLASH || first === EXCLAMATION || first === QUESTION;
  // Any other "<" is text.
  if (!isTag) return start;
  const end = body.length;
  let at = start;
  while (at < end && body[at] !== MORE) at++;
  if (((UNSEEN_STARTS[letter & 31] >>> (body[start + 1] & 31)) & 1) === 0) return at + 1;
  // In XML, an element may end with its start tag.
  if (isXml && body[at - 1] === SLASH) return at + 1;
  for (const name of UNSEEN) if (isNameAt(body, start, name)) return endOfUnseen(body, at, name);
  return at + 1;
}

/** The position of the end tag, or the end of the page. */
function endOfUnseen(body: Uint8Array, start: number, name: Uint8Array): number {
  for (let at = body.indexOf(LESS, start); at >= 0; at = body.indexOf(LESS, at + 1)) {
    if (body[at + 1] === SLASH && isNameAt(body, at + 2, name)) return at;
  }
  return body.length;
}

function afterComment(body: Uint8Array, start: number): number {
  for (let at = body.indexOf(MORE, start + 3); at >= 0; at = body.indexOf(MORE, at + 1)) {
    if (body[at - 1] === DASH && body[at - 2] === DASH) return at + 1;
  }
  return body.length;
}

/** Whether the name of a tag, in any case, starts here and ends with it. */
function isNameAt(body: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let k = 0; k < name.length; k++) if ((body[start + k] | 0x20) !== name[k]) return false;
  const after = body[start + name.length];
  return after === undefined || after === MORE || after === SLASH || after <= 0x20;
}

/**
 * 32 bits of the result: each is 1 if it is 1 in more than half of the hashes of the shingles. `salt` tells the halves
 * apart. One half after the other: a function that does both is too large for the compiler to inline what it calls.
 */
function majority(count: number, salt: number): number {
  planes.fill(0);
  const shingles = count - 2;
  let k = 0;
  for (; k + 3 < shingles; k += 4) {
    addFour(shingleHash(k, salt), shingleHash(k + 1, salt), shingleHash(k + 2, salt), shingleHash(k + 3, salt));
  }
  for (; k < shingles; k++) addFour(shingleHash(k, salt), 0, 0, 0);
  return greaterThan(shingles >> 1);
}

/** Of the word k and the next two. */
function shingleHash(k: number, salt: number): number {
  const pair = (Math.imul(words[k], 0x9e3779b1) + words[k + 1]) | 0;
  return mixed((Math.imul(pair, 0x85ebca77) + words[k + 2]) ^ salt);
}

/** The finaliser of MurmurHash3. Its result has a sign: half of the numbers without one would be objects. */
function mixed(bits: number): number {
  let z = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return z ^ (z >>> 16);
}

/** Adds four hashes of 32 bits to the counts: two full adders add them to the ones, a third the carries to the twos. */
function addFour(a: number, b: number, c: number, d: number): void {
  const first = planes[0] ^ a;
  const firstCarry = (planes[0] & a) | (first & b);
  const second = first ^ b ^ c;
  const secondCarry = ((first ^ b) & c) | (second & d);
  planes[0] = second ^ d;
  const third = planes[1] ^ firstCarry;
  let carry = (planes[1] & firstCarry) | (third & secondCarry);
  planes[1] = third ^ secondCarry;
  for (let k = 2; carry !== 0; k++) {
    const before = planes[k];
    planes[k] = before ^ carry;
    carry &= before;
  }
}

/** Which of the 32 counts are greater than a number: compared from the highest bit down, all at once. */
function greaterThan(number: number): number {
  let greater = 0;
  let equal = -1;
  for (let k = PLANES - 1; k >= 0; k--) {
    if ((number >> k) & 1) equal &= planes[k];
    // What is greater now may pass for equal from here on: it stays greater.
    else greater |= equal & planes[k];
  }
  return greater;
}
