/** Bugs around names: looked up wrongly, too often, or by a request that holds a connection meanwhile. */
import type { Mutant } from "../mutant.ts";

const dns = "test/fetch/dns.test.ts";
const guard = "test/fetch/guard.test.ts";
const ahead = "test/crawl/name-lookups.test.ts";

export const names: readonly Mutant[] = [
  {
    file: "src/fetch/name-cache.ts",
    find: "known.validUntilMs > this.#clock.nowMs()) return done",
    replace: "known.validUntilMs >= 0) return done",
    plants: "A name is kept for ever, whatever its TTL.",
    killedBy: [dns, guard],
  },
  {
    file: "src/fetch/name-cache.ts",
    find: "    name.reservedUntilMs = 0;\n",
    replace: "",
    plants: "A name with TTL 0 that was looked up ahead serves every request for a minute.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/name-cache.ts",
    find: "special === null || first.includes(special) ? first : [...first, special]",
    replace: "special === null || first.includes(special) ? first : first",
    plants: "A private address after the first four is forgotten, and the host is let through.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/guarded-resolver.ts",
    find: "done(found instanceof NamedFailure ? found : this.#checked(host, found, port));",
    replace: "done(found instanceof NamedFailure ? found : { addresses: found, port });",
    plants: "Addresses of names are used without a check.",
    killedBy: [dns, guard],
  },
  {
    file: "src/fetch/named-failure.ts",
    find: 'new Set(["ENOTFOUND", "ENODATA", "EBADNAME"])',
    replace: 'new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "ESERVFAIL"])',
    plants: "A name server that has failed says that there is no such host: its pages count as dead.",
    killedBy: [dns, guard],
  },
  {
    file: "src/fetch/dns-query.ts",
    find: "errors.find((error) => !NO_ADDRESS.has(codeOf(error))) ?? errors[0]",
    replace: "errors[0]",
    plants: "A name without IPv4 address does not exist, though the server failed for IPv6.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/dns-query.ts",
    find: "1000 * Math.min(...records.map(({ ttl }) => ttl))",
    replace: "Math.min(...records.map(({ ttl }) => ttl))",
    plants: "Seconds of a TTL are taken for milliseconds.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/dns-query.ts",
    find: "[first[k], second[k]].filter",
    replace: "[second[k], first[k]].filter",
    plants: "IPv6 is tried before IPv4.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/name-lookup.ts",
    find: "if (this.#underWay.size >= this.#atOnceMax) return;",
    replace: "if (this.#underWay.size > this.#atOnceMax) return;",
    plants: "One name too many is asked for at once.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/name-lookup.ts",
    find: "    if (own.length > 0) return done(null, own.map(withFamily), HOSTS_FILE_MS);\n",
    replace: "",
    plants: "The hosts file is ignored.",
    killedBy: [dns],
  },
  {
    file: "src/fetch/hosts-file.ts",
    find: "const name = alias.toLowerCase();",
    replace: "const name = alias;",
    plants: "Names in capitals of the hosts file are never found.",
    killedBy: [dns],
  },
  {
    file: "src/crawl/politeness/host-schedule.ts",
    find: "host.pausedUntilMs === 0 && !host.isLookedUp;",
    replace: "host.pausedUntilMs === 0;",
    plants: "A host is requested while its name is looked up.",
    killedBy: [ahead, "test/crawl/host-schedule.test.ts"],
  },
  {
    file: "src/crawl/politeness/politeness.ts",
    find: 'judgement.kind !== "allowed" || this.#names.isKnown(host, url, now)',
    replace: 'judgement.kind !== ""',
    plants: "Pages are requested though the name of their host has run out.",
    killedBy: [ahead],
  },
  {
    file: "src/crawl/politeness/host-schedule.ts",
    find: "    this.#reservedNames.delete(host.id);\n",
    replace: "",
    plants: "A name that is valid for no time serves many requests.",
    killedBy: [ahead],
  },
  {
    file: "src/crawl/engine.ts",
    find: "      this.#politeness.lookups === 0 &&\n",
    replace: "",
    plants: "A crawl whose last hosts are being looked up ends without them.",
    killedBy: [ahead],
  },
  {
    file: "src/crawl/dispatcher.ts",
    find: "    if (politeness.lookups > lookups) return true;\n",
    replace: "",
    plants: "A page overtakes the robots.txt of a host whose name is known at once.",
    killedBy: ["test/crawl/order.test.ts"],
  },
];
