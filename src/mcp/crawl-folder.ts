/**
 * The folder of all crawls. Clients name a crawl; they never give a path. A name is that of a folder directly in the
 * root, and a symbolic link there must not lead out of it.
 */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { didYouMean, fileMistake, messageOf, quoted, UsageError } from "../base/index.ts";
import { isCrawl, makeFolder } from "../store/index.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;
export const NAME_RULE = "1 to 100 letters, digits, dots and dashes, a letter or digit first";

export class CrawlFolder {
  readonly root: string;

  /** Makes the folder if it is missing. */
  constructor(root: string) {
    try {
      makeFolder(root);
      this.root = realpathSync(root);
    } catch (error) {
      throw new UsageError(`--root ${root}: ${fileMistake(error) ?? messageOf(error)}; expected a folder`);
    }
    if (!statSync(root).isDirectory()) {
      throw new UsageError(`--root ${root} is a file; expected a directory for the crawls`);
    }
  }

  /** Where the crawl of this name is, or would be. */
  dirOf(name: string): string {
    if (!NAME.test(name)) throw new UsageError(`${quoted(name)} is no name of a crawl; expected ${NAME_RULE}`);
    const dir = join(this.root, name);
    if (!this.#isInside(dir)) {
      throw new UsageError(`${quoted(name)} leads out of the folder of crawls: give another name`);
    }
    return dir;
  }

  /** Where the crawl of this name is. */
  existing(name: string): string {
    const dir = this.dirOf(name);
    if (isCrawl(dir)) return dir;
    const near = didYouMean(name, this.names());
    throw new UsageError(`there is no crawl ${quoted(name)}.${near} Call status to list all, or crawl to start one`);
  }

  /** All crawls, by name. */
  names(): string[] {
    const isOurs = (name: string): boolean => {
      const dir = join(this.root, name);
      return NAME.test(name) && this.#isInside(dir) && isCrawl(dir);
    };
    return readdirSync(this.root).filter(isOurs).sort();
  }

  /** Whether a path, with symbolic links followed, is below the root. What does not exist yet is. */
  #isInside(path: string): boolean {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return true;
    try {
      return realpathSync(path).startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
    } catch {
      // A link to what is missing: it would be followed when the crawl is made.
      return false;
    }
  }
}
