// One visit: gates, the stage's own code, gates again, under a time limit. Whatever it does, a result comes back: an
// outcome, or a fault. Nothing in here writes, but for the checkpoint the stage asks for.

import type { VisitResult } from "../items/standing.ts";
import { type Fault, toFault, transient } from "../pipeline/fault.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import { hasChildren, withCheckedChildren } from "./checked-children.ts";
import type { Deadline } from "./deadlines.ts";
import { isUnwrapped, runGuarded, workOf } from "./guarded-visit.ts";
import type { Held } from "./held.ts";
import { Interrupt } from "./interrupt.ts";
import { StageVisit, type VisitPorts } from "./stage-visit.ts";

export type { VisitPorts };

// Most visits are short and have neither gates nor functions around them: nothing is awaited that is not there, because each
// promise between a handler and its result costs as much as the handler.

export function visitStage(held: Held, ports: VisitPorts): Promise<VisitResult> {
  return new Promise((resolve) => beginVisit(held, ports, resolve));
}

/** The same; `ended` is called with what it came to, once, and never before this returns. */
export function beginVisit(held: Held, ports: VisitPorts, ended: Ended): void {
  new Running(held, ports, ended).begin();
}

type Ended = (result: VisitResult) => void;

const OVER = transient("OVER", "the visit is over");

/** One visit, until its result or its time ends it; whichever comes first counts. */
class Running {
  readonly #held: Held;
  readonly #ports: VisitPorts;
  readonly #ended: Ended;
  readonly #interrupt = new Interrupt();
  #deadline: Deadline | undefined;
  #isOver = false;

  constructor(held: Held, ports: VisitPorts, ended: Ended) {
    this.#held = held;
    this.#ports = ports;
    this.#ended = ended;
  }

  begin(): void {
    const held = this.#held;
    const ports = this.#ports;
    const interrupt = this.#interrupt;
    held.abort.next = interrupt;
    if (held.abort.aborted) interrupt.abort(held.abort.reason);
    this.#deadline = ports.deadlines.within(held.place.stage.timeoutMs, () => this.#late());
    const visit = new StageVisit(held, interrupt, ports);
    if (isPlain(held, ports)) this.#runPlain(visit);
    else void runGuarded(held, visit, ports).then((result) => this.#over(result, OVER));
  }

  #runPlain(visit: StageVisit): void {
    let working: Promise<Outcome>;
    try {
      working = Promise.resolve(workOf(this.#held.place.stage, visit, this.#ports));
    } catch (error) {
      working = Promise.reject(error);
    }
    working.then(
      (outcome) => this.#came(outcome),
      (error: unknown) => this.#failed(error),
    );
  }

  #came(outcome: Outcome): void {
    let spawns: boolean;
    try {
      spawns = hasChildren(outcome);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (!spawns) this.#over({ outcome }, OVER);
    else
      withCheckedChildren(outcome).then(
        (checked) => this.#over({ outcome: checked }, OVER),
        (error: unknown) => this.#failed(error),
      );
  }

  #failed(error: unknown): void {
    this.#over({ fault: toFault(error) }, OVER);
  }

  #late(): void {
    const { stage } = this.#held.place;
    const fault = transient("TIMEOUT", `${stage.name} took longer than ${stage.timeoutMs} ms`);
    this.#over({ fault }, fault);
  }

  #over(result: VisitResult, reason: Fault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const held = this.#held;
    this.#deadline?.meet();
    if (held.abort.next === this.#interrupt) held.abort.next = undefined;
    // Whatever the stage's code left running may not act for an item that has moved on.
    this.#interrupt.abort(reason);
    this.#ended(result);
  }
}

/** The stage's code is all there is to it. */
function isPlain(held: Held, ports: VisitPorts): boolean {
  const { enter, leave, outside, parts } = held.place.stage;
  const isBare = enter.length === 0 && leave.length === 0 && outside === undefined && parts === undefined;
  return isBare && held.row.part === null && isUnwrapped(held, ports);
}
