/** The fetcher of a crawl, for commands: what is wrong with its file of certificates is told with the name of the file. */
import { type NetworkSettings, openFetcher } from "../../crawl/index.ts";
import type { Fetcher, ProxySettings } from "../../fetch/index.ts";
import { withFile } from "../terminal/endings.ts";

export function fetcherOf(network: NetworkSettings, connections: number, proxy?: ProxySettings): Fetcher {
  const open = (): Fetcher => openFetcher(network, connections, proxy);
  return network.ca === null ? open() : withFile(network.ca, open);
}
