/** Lets asynchronous work begin only when what was given before has ended, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(act: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
