/**
 * What the package exports, entry by entry. The lists are exact, so that a change of the public surface is seen in
 * review. Everything else in `src` is internal and may move.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../src/base/index.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Every name of every entry: values in the first list, types in the second. */
const SURFACE: Readonly<Record<string, { readonly values: string; readonly types: string }>> = {
  main: {
    values:
      "FailureError GraphFetcher MemoryStore StoreError UsageError certifyLog crawl crawlGraph crawlSettings createCrawl " +
      "createHttpFetcher fetcherOfGraph launchCrawl openArchive openCrawl openCrawlReadOnly openFetcher parseSettings systemClock",
    types:
      "Answer CertifiedLog Clock Crawl CrawledPage CrawledPages Credential DownloadedPage HookFailed PagesOptions GivenCookie OriginHeaders SessionOptions SessionPart Withheld CrawlArchive CrawlEnd CrawlEvent CrawlGraph CrawlOptions CrawlOrder " +
      "CrawlSettings CrawlState CrawlStatus CrawlStore Failure FailureName FetchRequest Fetcher HostCounts HostStatus " +
      "HttpFetcherOptions LaunchOptions Limits Outcome Progress ProgressStep RemoteRecord Reply Seed ServedWeb SettingsContext StopReason StoredSettings Timers UrlRecord ValueOfPage ValuedPage Visit",
  },
  graph: {
    values:
      "ArcsDecoder BvRandomAccess GraphBuilder GrowingLinks components decodeBv encodeArcs encodeBv generateGraph " +
      "graphInfo hostsOf linksOf outDegree successors transpose withoutSelfLinks",
    types: "ArcsOptions BvFiles BvOptions Components GeneratorOptions Graph GraphInfo Hosts HostsOptions LinkTable",
  },
  rank: {
    values: "Opic kendallTau l1Distance lInfinityDistance pagerank topOverlap topPages",
    types: "DanglingRule Norm OpicChoice OpicMemory OpicOptions PagerankOptions Ranking Stopping Team",
  },
  coverage: {
    values: "CoverageWatch MassLedger RankIntervals ceilingOf certify ledgerOf missingShares subsetShare",
    types:
      "Ceiling Certificate CrawlFacts Interval IntervalOptions LedgerOptions LostShare MissingReason MissingShare " +
      "PlainCrawl RefusalReason Universe WatchOptions",
  },
  order: {
    values: "createOrder orderNames",
    types: "CrawlOrder OrderContext",
  },
  seeds: {
    values: "paperValues seedMethods selectSeeds selectSeedsBySite",
    types:
      "Covered PageFacts SeedMethod SeedOptions SeedProblem SeedSelection SiteSeedOptions SiteSeedSelection SiteShare",
  },
  community: {
    values: "distancesBetween findGlobalPagerank frontierOf impacts pagesOfHost restrictedTo surveyCommunity",
    types: "CommunitySurvey CommunitySurveyInput Distances Frontier GlobalEstimate GlobalPagerankInput SelectionMethod",
  },
  refresh: {
    values: "ageOf bestSchedule freshness freshnessOf learnPrior planReads readingGain",
    types: "KnownPage Observations PlanOptions PlannedRead Schedule",
  },
  web: {
    values:
      "LinkResolver Scope addressKind canonicalUrl decodeBody defaultTrapLimits isHtml isPublicAddress parseRobots " +
      "parseSitemap readHtml readHtmlBody registrableDomain rulesFor trapIn usageOfHeaders xRobotsTag",
    types:
      "AddressKind DecodedBody HtmlLink HtmlOptions HtmlPage RobotsDirectives RobotsFile RobotsRules ScopeKind " +
      "ScopeOptions SitemapOptions SitemapResult TrapLimits TrapName UrlRules UsagePreferences",
  },
  lab: {
    values: "experimentNames experimentReport runExperiment simulate simulationReport startRankTeam",
    types:
      "CostPoint CurvePoint ExperimentInput ExperimentResult Level Reached Simulation SimulationInput " +
      "SimulationReportOptions SimulationRun StartedTeam",
  },
  dashboard: {
    values: "SurveyCache crawlReport gatherContents startServer summaryLine surveyOf",
    types:
      "CrawlContents CrawlReportOptions DashboardServer ServerOptions Survey SurveyFacts SurveyOfOptions SurveySource",
  },
};

/** These compute only: a program that uses them loads no database, no network and no file system. */
const PURE = ["graph", "rank", "coverage", "order", "seeds", "community", "refresh", "web"];
const PURE_PACKAGES = new Set([
  "@exodus/bytes/encoding.js",
  "@exodus/bytes/whatwg.js",
  "html-encoding-sniffer",
  "htmlparser2",
  "parse5",
  "re2js",
  "tldts",
]);

const entries = Object.keys(SURFACE);

describe("the public entries", () => {
  it("are the files of src/public and the exports of package.json", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { exports } = JSON.parse(text) as { exports: Record<string, unknown> };
    const expected = entries.map((entry) => [
      entry === "main" ? "." : `./${entry}`,
      { types: `./dist/public/${entry}.d.ts`, default: `./dist/public/${entry}.js` },
    ]);
    expect(exports).toEqual({ ...Object.fromEntries(expected), "./package.json": "./package.json" });
    expect(readdirSync(join(root, "src/public")).sort()).toEqual(entries.map((entry) => `${entry}.ts`).sort());
  });

  it.each(entries)("%s exports exactly the names listed here", (entry) => {
    const names = namesOf(entry);
    expect(names.values).toEqual(SURFACE[entry].values.split(" ").sort());
    expect(names.types).toEqual(SURFACE[entry].types.split(" ").sort());
  });

  it.each(PURE)("%s loads neither a database nor the network nor the file system", (entry) => {
    const outside = packagesBehind(`public/${entry}.ts`);
    expect([...outside].filter((name) => !PURE_PACKAGES.has(name))).toEqual([]);
  });

  it("would notice a file system", () => {
    expect(packagesBehind("public/main.ts")).toContain("node:fs");
  });

  it("have the version of package.json", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: VERSION });
  });
});

describe("every public name", () => {
  let program: ts.Program;
  beforeAll(() => {
    const files = entries.map((entry) => join(root, "src/public", `${entry}.ts`));
    program = ts.createProgram(files, {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      noEmit: true,
      noLib: true,
      types: [],
    });
  });

  it.each(entries)("of %s has a doc comment", (entry) => {
    const checker = program.getTypeChecker();
    const file = program.getSourceFile(join(root, "src/public", `${entry}.ts`));
    const module = file && checker.getSymbolAtLocation(file);
    const names = module === undefined ? [] : checker.getExportsOfModule(module);
    expect(names.length).toBeGreaterThan(0);
    const bare = names.filter((name) => {
      const target = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return target.getDocumentationComment(checker).length === 0;
    });
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

/** The names that a public file exports. Such files only pass names on: `export { value, type Type } from "..."`. */
function namesOf(entry: string): { values: string[]; types: string[] } {
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of sourceOf(`public/${entry}.ts`).statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) {
      throw new Error(`public/${entry}.ts has a statement that is not an export by name: ${statement.getText()}`);
    }
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`public/${entry}.ts exports a namespace`);
    for (const { name, isTypeOnly } of statement.exportClause.elements) {
      (isTypeOnly || statement.isTypeOnly ? types : values).push(name.text);
    }
  }
  return { values: values.sort(), types: types.sort() };
}

/**
 * Packages, and modules of Node, that a file loads, by way of whatever it imports. Imports of mere types load nothing.
 */
function packagesBehind(path: string, seen = new Set<string>()): Set<string> {
  const outside = new Set<string>();
  if (seen.has(path)) return outside;
  seen.add(path);
  for (const statement of sourceOf(path).statements) {
    const name = loadedBy(statement);
    if (name === undefined) continue;
    if (!name.startsWith(".")) outside.add(name);
    else for (const each of packagesBehind(normalize(join(dirname(path), name)), seen)) outside.add(each);
  }
  return outside;
}

function loadedBy(statement: ts.Statement): string | undefined {
  const isImport = ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly !== true;
  const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
  if (!isImport && !isExport) return undefined;
  const { moduleSpecifier } = statement;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}

function sourceOf(path: string): ts.SourceFile {
  const text = readFileSync(join(root, "src", path), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}
