/** Bugs of sessions: a secret that goes astray, is kept, or ends its own session. */
import type { Mutant } from "../mutant.ts";

const sent = "test/fetch/sessions.test.ts";
const jars = "test/fetch/cookies.test.ts";
const files = "test/cli/session-files.test.ts";
const planned = "test/cli/session.test.ts";
const header = "test/fetch/given-header.test.ts";
const archive = "test/crawl/archive.test.ts";
const logout = "test/crawl/logout.test.ts";
const looks = "test/web/logout.test.ts";

export const sessions: readonly Mutant[] = [
  {
    file: "src/fetch/sessions.ts",
    find: "const authorization = this.#credentials.get(url.origin);",
    replace: "const authorization = this.#credentials.get(`https://${url.host}`);",
    plants: "Credentials for https are sent over http as well.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/sessions.ts",
    find: "const given = this.#headers.get(url.origin) ?? [];",
    replace: "const given = [...this.#headers.values()].flat();",
    plants: "Given headers go to every host.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/sessions.ts",
    find: "const blanked = isPrivate ? Object",
    replace: "const blanked = !isPrivate ? Object",
    plants: "Set-Cookie of a session is kept.",
    killedBy: [sent, archive],
  },
  {
    file: "src/fetch/sessions.ts",
    find: 'i % 2 === 1 && SETTING.has(list[i - 1].toLowerCase()) ? "" : part',
    replace: 'i % 2 === 1 && list[i - 1] === "set-cookie" ? "" : part',
    plants: "Only a Set-Cookie in lower case is blanked.",
    killedBy: [archive],
  },
  {
    file: "src/fetch/sessions.ts",
    find: "if (!looksLikeLogout(url.pathname + url.search)) {",
    replace: "{",
    plants: "A sitemap named /logout ends the session.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/headers.ts",
    find: "return [...withoutNames(own, names), ...ofSession];",
    replace: "return [...own, ...ofSession];",
    plants: "A given Accept is sent beside our own.",
    killedBy: [sent],
  },
  {
    file: "src/crawl/open.ts",
    find: "requestHeaders(request, userAgent, answer.withheld?.request)",
    replace: "requestHeaders(request, userAgent)",
    plants: "The archive has an Accept that was not sent.",
    killedBy: [archive],
  },
  {
    file: "src/store/warc-record.ts",
    find: '["WARC-Tidemark-Withheld", named(exchange.withheld?.response)],',
    replace: "",
    plants: "A record does not say that its Set-Cookie is blank.",
    killedBy: [archive],
  },
  {
    file: "src/fetch/cookies.ts",
    find: 'if (url.protocol === "https:") cookie.secure = true;',
    replace: "",
    plants: "A cookie that came over https goes over http.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/cookies.ts",
    find: 'port === "" ? "" : `:${port}`',
    replace: '""',
    plants: "Cookies of a host go to its other ports.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "secure: given.secure || !overHttp.has(key),",
    replace: "secure: given.secure,",
    plants: "A given cookie goes over http though every seed is https.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "|| isPublicSuffix(domain);",
    replace: ";",
    plants: "A given cookie of a public suffix is an error of the library.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "allowSecureOnLocal: false",
    replace: "allowSecureOnLocal: true",
    plants: "A Secure cookie goes over http to this machine.",
    killedBy: [sent],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "if (this.#jars.size <= JARS_MAX && this.#bytes <= JAR_BYTES_MAX) return;",
    replace: "if (this.#jars.size <= JARS_MAX) return;",
    plants: "Hosts that fill their jars take as much memory as they like.",
    killedBy: [jars],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "    this.#jars.delete(key);\n    this.#jars.set(key, jar);\n    return jar;",
    replace: "    return jar;",
    plants: "The jar that is in use is dropped because it was made first.",
    killedBy: [jars],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "usedMs(b) - usedMs(a) || b.creationIndex - a.creationIndex",
    replace: "a.creationIndex - b.creationIndex",
    plants: "A full jar takes no new cookie.",
    killedBy: [jars],
  },
  {
    file: "src/fetch/cookies.ts",
    find: "cookies.filter((cookie) => !given.has(idOf(cookie)))",
    replace: "cookies",
    plants: "A host that sets cookies, or a long cookie file, logs the crawl out.",
    killedBy: [jars],
  },
  {
    file: "src/fetch/given-header.ts",
    find: "const lower = name.toLowerCase();",
    replace: "const lower = name;",
    plants: "Authorization is accepted on the command line if it begins with a capital.",
    killedBy: [header],
  },
  {
    file: "src/cli/crawl/session.ts",
    find: 'return protocol === "http:" ? [origin, `https://${host}`] : [origin];',
    replace: "return [`http://${host}`, `https://${host}`];",
    plants: "Headers for an https seed go over http as well.",
    killedBy: [planned],
  },
  {
    file: "src/crawl/settings/crawl-settings.ts",
    find: "...(namedSeeds === undefined ? {} : { namedSeeds }),",
    replace: "",
    plants: "A resumed crawl of a list sends headers to hosts that only a sitemap named.",
    killedBy: ["test/cli/sitemap-list.test.ts"],
  },
  {
    file: "src/cli/crawl/plan.ts",
    find: "isOtherWeb || (isEmpty && isOtherUser && !keepsCrawl)",
    replace: "isOtherWeb",
    plants: "Who was turned away without a password stays out with one.",
    killedBy: ["test/cli/empty-crawl.test.ts"],
  },
  {
    file: "src/cli/input/cookie-file.ts",
    find: 'line.startsWith("#") && !httpOnly',
    replace: 'line.startsWith("#")',
    plants: "Cookies that scripts may not read are taken for comments.",
    killedBy: [files],
  },
  {
    file: "src/cli/input/auth-file.ts",
    find: "/^(\\S+)\\s+(\\S+)\\s+(.+)$/s",
    replace: "/^(\\S+)\\s+(\\S+)\\s+(\\S+)/s",
    plants: "A password ends at its first blank.",
    killedBy: [files],
  },
  {
    file: "src/crawl/politeness/politeness.ts",
    find: "this.#options.settings.skipsLogout === true && ",
    replace: "",
    plants: "Pages about logout are skipped though nobody is logged in.",
    killedBy: [logout],
  },
  {
    file: "src/crawl/settings/crawl-settings.ts",
    find: 'network.session?.some((part) => part !== "headers") === true',
    replace: "session.length > 0",
    plants: "A resumed crawl no longer knows that it was logged in.",
    killedBy: [logout],
  },
  {
    file: "src/crawl/settings/crawl-settings.ts",
    find: "const [, host] = WITH_CREDENTIALS.exec(trimmed) ?? [];",
    replace: "const [, host] = WITH_CREDENTIALS.exec(text) ?? [];",
    plants: "A password behind a blank passes, and is repeated or dropped.",
    killedBy: [logout],
  },
  {
    file: "src/web/logout.ts",
    find: "return CHOOSING.test(name.toLowerCase()) && ",
    replace: "return ",
    plants: "A search for logout is skipped.",
    killedBy: [looks],
  },
  {
    file: "src/web/logout.ts",
    find: " || DRUPAL.test(parameter)",
    replace: "",
    plants: "The logout of a Drupal site without clean URLs is requested.",
    killedBy: [looks],
  },
  {
    file: "src/web/logout.ts",
    find: "&& !/:|%3A/i.test(segments[k])",
    replace: "",
    plants: "The logout of a wiki is taken for an article.",
    killedBy: [looks],
  },
  {
    file: "src/coverage/facts.ts",
    find: '"forbidden", "logout"];',
    replace: '"forbidden"];',
    plants: "A link to log out keeps a site from being covered.",
    killedBy: [logout],
  },
];
