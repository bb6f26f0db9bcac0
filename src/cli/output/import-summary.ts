/** What an imported crawl amounts to. */
import {
  ceilingOf,
  type Certificate,
  certify,
  type MissingShare,
  missingShares,
  PageState,
} from "../../coverage/index.ts";
import { hasTexts } from "../../content/index.ts";
import { ledgerOfLog } from "../../crawl/index.ts";
import { reading } from "../../store/index.ts";

export interface ImportSummary {
  readonly pages: number;
  /** URLs, without those that stand for links never followed. */
  readonly known: number;
  readonly waiting: number;
  readonly links: number;
  readonly hosts: number;
  readonly certificate: Certificate;
  readonly missing: readonly MissingShare[];
  readonly ceiling: number;
  /** Whether there is text of its pages. */
  readonly searchable: boolean;
}

export function importSummary(dir: string): Promise<ImportSummary> {
  return reading(dir, (store) => {
    const { ledger, urls } = ledgerOfLog(store);
    const certificate = certify(ledger);
    let links = 0;
    for (let url = 0; url < urls.urls; url++) links += Math.max(0, ledger.links.count(url));
    const known = urls.urls - urls.sinks.size;
    let waiting = 0;
    for (let url = 0; url < urls.urls; url++) if (urls.state[url] === PageState.Open) waiting++;
    return {
      pages: certificate.downloaded,
      known,
      waiting,
      links,
      hosts: urls.hosts.names.length,
      certificate,
      missing: missingShares(ledger, certificate, urls.hosts),
      ceiling: ceilingOf(ledger).coverage,
      searchable: hasTexts(dir, store),
    };
  });
}
