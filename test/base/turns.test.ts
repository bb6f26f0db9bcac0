import { expect, it } from "vitest";
import { Turns } from "../../src/base/index.ts";

it("what is given begins when what was given before has ended, also by an error", async () => {
  const turns = new Turns();
  const said: string[] = [];
  const work = (name: string, ticks: number) => async (): Promise<string> => {
    said.push(`${name} begins`);
    for (let tick = 0; tick < ticks; tick++) await undefined;
    said.push(`${name} ends`);
    if (name === "second") throw new Error("second failed");
    return name;
  };
  const all = [turns.run(work("first", 9)), turns.run(work("second", 3)), turns.run(work("third", 0))];
  expect(await Promise.allSettled(all)).toEqual([
    { status: "fulfilled", value: "first" },
    { status: "rejected", reason: new Error("second failed") },
    { status: "fulfilled", value: "third" },
  ]);
  const names = ["first", "second", "third"];
  expect(said).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});
