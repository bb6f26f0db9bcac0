/** A help centre: topics, questions with related ones, a footer of nofollow links on every page, many dead links. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { paginated, popularOf, range, someOf } from "./templates.ts";

const TOPICS = 35;
const QUESTIONS_PER_TOPIC = 60;
const LANGUAGES = ["", "/de", "/fr"];

export function helpSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const footer = ["/legal/terms", "/legal/privacy", "/legal/cookies", "/press", "/partners", "/app?utm=footer"];
  const lost: string[] = [];
  for (const language of LANGUAGES) {
    const front = `${language}/`;
    const fronts = LANGUAGES.map((other) => `${other}/`);
    const topics = range(TOPICS).map((k) => `${language}/topic/${k}`);
    const questionsOf = topics.map((topic) => range(QUESTIONS_PER_TOPIC).map((k) => `${topic}/q-${k}`));
    const questions = questionsOf.flat();
    const frame = [front, `${language}/ask`, ...fronts];
    const add = (url: string, links: readonly string[]): void => site.page(url, [...frame, ...links], footer);
    add(front, [...topics, ...questions.slice(0, 10)]);
    add(`${language}/ask`, topics);
    for (const [k, topic] of topics.entries()) {
      for (const list of paginated(topic, questionsOf[k], 20)) add(list.url, [...list.items, ...list.pager]);
      for (const question of questionsOf[k]) {
        const links = [topic, ...someOf(random, questionsOf[k], 5), ...popularOf(random, questions, 3)];
        const attachment = `${question}/attachment`;
        if (random.float() < 0.35) {
          links.push(attachment);
          lost.push(attachment);
        }
        add(question, links);
      }
    }
  }
  site.all("dead", lost);
  return site.finish();
}
