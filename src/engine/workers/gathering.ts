// Brings visits of one stage together for a handler that takes many. The first waits for others; the call is made when
// there are enough, or its patience is over.

import { BugError, type Clock, safeText } from "../../kit/index.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import type { Answers, ManyWork } from "../pipeline/run-many.ts";
import type { Visit } from "../pipeline/visit.ts";

interface Joined {
  readonly visit: Visit;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Group {
  readonly joined: Joined[];
  /** Aborted when the call is made: nobody waits for others any more. */
  readonly full: AbortController;
}

export class Gathering {
  readonly #clock: Clock;
  readonly #waiting = new Map<ManyWork, Group>();
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(work: ManyWork, visit: Visit): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const group = this.#waiting.get(work) ?? this.#open(work);
      group.joined.push({ visit, resolve, reject });
      if (group.joined.length >= work.most || this.#isOver) this.#close(work, group);
    });
  }

  /** Nobody else will come: who waits goes now, and who comes all the same goes alone. */
  hurry(): void {
    this.#isOver = true;
    for (const [work, group] of this.#waiting) this.#close(work, group);
  }

  #open(work: ManyWork): Group {
    const group: Group = { joined: [], full: new AbortController() };
    this.#waiting.set(work, group);
    void this.#clock.sleep(work.withinMs, group.full.signal).then(() => {
      if (!group.full.signal.aborted) this.#close(work, group);
    });
    return group;
  }

  #close(work: ManyWork, group: Group): void {
    this.#waiting.delete(work);
    group.full.abort();
    void callTogether(work, group.joined);
  }
}

/** One that may no longer act is left out: its item has moved on while it waited. */
async function callTogether(work: ManyWork, joined: readonly Joined[]): Promise<void> {
  for (const one of joined) if (one.visit.signal.aborted) one.reject(one.visit.signal.reason);
  const called = joined.filter((one) => !one.visit.signal.aborted);
  if (called.length === 0) return;
  try {
    const answers = checkAnswers(await work.run(called.map((one) => one.visit)), called.length);
    for (const [index, one] of called.entries()) answer(one, answers[index]);
  } catch (error) {
    for (const one of called) one.reject(error);
  }
}

/** With another number of answers nobody can say which of them is whose. */
function checkAnswers(answers: Answers<unknown>, count: number): Answers<unknown> {
  if (Array.isArray(answers) && answers.length === count) return answers;
  const got = Array.isArray(answers) ? `${answers.length}` : safeText(answers, 80);
  throw new BugError(`runMany has to answer with a list of ${count}, one for each visit, got ${got}`);
}

function answer(one: Joined, given: Answers<unknown>[number] | undefined): void {
  if (given === undefined) one.reject(new BugError("runMany answered nothing for this visit"));
  else if (given instanceof Error) one.reject(given);
  else one.resolve(given);
}
