/** Settings as version 0.1.0 stored them, letter by letter: of a crawl by the command, and of one by the library. */

export const COMMAND_010 =
  '{"web":{"scope":{"kind":"domain","seeds":["http://www.demo.test/"]},"universe":"scope","urlRules":{},' +
  '"followNofollow":false,"honourCanonical":false,"sitemaps":true,"traps":{"urlCharactersMax":2000,' +
  '"pathSegmentsMax":20,"repeatsMax":2,"parametersMax":20},"sameContentMax":20,"linksPerPageMax":10000,' +
  '"hashSeed":4020047103},"seeds":[{"url":"http://www.demo.test/","weight":1}],"order":"rankmass","damping":0.85,' +
  '"politeness":{"delayMs":40,"concurrency":32,"perHost":3,"perAddress":64,"crawlDelayMsMax":60000},' +
  '"limits":{"coverage":0.3},"productToken":"tidemark","network":{"userAgent":"tidemark/0.1.0","allowPrivate":true,' +
  '"resolve":["demo.test:127.0.0.1:45963","*.demo.test:127.0.0.1:45963"],"ca":null,"proxy":null,"warc":false}}';

/** Without a word about the network, and with a seed of 0. */
export const LIBRARY_010 =
  '{"web":{"scope":{"kind":"host","seeds":["http://a.example/"]},"universe":"scope","urlRules":{},' +
  '"followNofollow":false,"honourCanonical":false,"sitemaps":true,"traps":{"urlCharactersMax":2000,' +
  '"pathSegmentsMax":20,"repeatsMax":2,"parametersMax":20},"sameContentMax":20,"linksPerPageMax":10000,' +
  '"hashSeed":0},"seeds":[{"url":"http://a.example/","weight":1}],"order":"rankmass","damping":0.85,' +
  '"politeness":{"delayMs":1000,"concurrency":64,"perHost":1,"perAddress":10,"crawlDelayMsMax":60000},' +
  '"limits":{},"productToken":"tidemark"}';
