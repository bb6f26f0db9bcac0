/** What a user may say about a crawl. Undefined: not said; Infinity for a limit: none, whatever the crawl was begun with. */
import type { ScopeKind } from "../../web/index.ts";
import type { CommonOptions } from "../options/command.ts";
import type { ServingOptions } from "../serve/address.ts";

export interface CrawlOptions extends CommonOptions, ServingOptions {
  readonly dir?: string;
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly readers?: number;
  readonly serve?: boolean;

  readonly urls?: readonly string[];
  readonly seedFile?: string;
  readonly trust?: string;
  readonly normaliseTrust?: boolean;

  readonly coverage?: number;
  readonly maxPages?: number;
  readonly maxDepth?: number;
  readonly maxTime?: number;
  readonly maxBytes?: number;
  readonly maxPagesPerHost?: number;

  readonly scope?: ScopeKind;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly universe?: "scope" | "web";
  readonly stripParameters?: boolean;
  readonly followNofollow?: boolean;
  readonly honourCanonical?: boolean;
  readonly sitemaps?: boolean;

  readonly order?: string;
  readonly damping?: number;

  readonly delay?: number;
  readonly maxCrawlDelay?: number;
  readonly concurrency?: number;
  readonly perHost?: number;
  readonly perAddress?: number;

  readonly userAgent?: string;
  readonly contact?: string;
  readonly allowPrivate?: boolean;
  readonly allowPrivateHost?: readonly string[];
  readonly resolve?: readonly string[];
  readonly ca?: string;
  readonly proxy?: string;
  readonly warc?: boolean;
}
