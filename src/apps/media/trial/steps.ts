// A test that says what was tried: step by step, as far as it comes, within a time that somebody waits for.

import { Fault, SluiceError, transient } from "../../../engine/index.ts";
import { type Clock, safeText } from "../../../kit/index.ts";

export interface Step {
  readonly tried: string;
  readonly ok: boolean;
  readonly found: string;
  readonly code: string | null;
}

export interface Tested {
  readonly ok: boolean;
  readonly steps: readonly Step[];
}

export interface TrialOptions {
  readonly clock: Clock;
  readonly wholeMs?: number;
}

const WHOLE_MS = 10_000;
const FOUND_LENGTH = 500;

/** Nobody answered, so that nothing can be said of what would have been. */
const UNREACHED: ReadonlySet<string> = new Set(["NOT_REACHED", "EGRESS_REFUSED", "TLS", "TIMEOUT", "RESET"]);

/** Ends a test: its step has been told. */
class Over extends Error {}

export class Steps {
  readonly all: Step[] = [];
  readonly signal: AbortSignal;
  #secret: string | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** What must be in no answer. */
  hide(secret: string | undefined): void {
    this.#secret = secret === "" ? undefined : secret;
  }

  well(tried: string, found: string): void {
    this.#add({ tried, ok: true, found, code: null });
  }

  /** What comes after it may still be tried. */
  bad(tried: string, found: string, code: string): void {
    this.#add({ tried, ok: false, found, code });
  }

  /** The first call: whether anybody is there is a step of its own, before what it was asked. */
  async reach<Answer>(address: string, asked: (fault?: Fault) => string, call: () => Promise<Answer>): Promise<Answer> {
    const tried = `reached ${address}`;
    try {
      const answer = await this.#bounded(call);
      this.well(tried, "somebody answers there");
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      if (UNREACHED.has(fault.code)) this.bad(tried, fault.message, fault.code);
      else {
        this.well(tried, "somebody answers there");
        this.bad(asked(fault), fault.message, fault.code);
      }
      throw new Over();
    }
  }

  async take<Answer>(tried: string, call: () => Promise<Answer>, found: (answer: Answer) => string): Promise<Answer> {
    const answer = await this.need(tried, call);
    this.well(tried, found(answer));
    return answer;
  }

  /** A step only where it fails. */
  async need<Answer>(tried: string, call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#bounded(call);
    } catch (error) {
      const { message, code } = faultOf(error);
      this.bad(tried, message, code);
      throw new Over();
    }
  }

  /** Also where what is called takes no notice of the signal. */
  async #bounded<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    this.signal.throwIfAborted();
    const late = Promise.withResolvers<never>();
    const onAbort = () => late.reject(this.signal.reason);
    this.signal.addEventListener("abort", onAbort);
    try {
      return await Promise.race([call(), late.promise]);
    } finally {
      this.signal.removeEventListener("abort", onAbort);
    }
  }

  #add({ found, ...step }: Step): void {
    const said = this.#secret === undefined ? found : found.replaceAll(this.#secret, "***");
    this.all.push({ ...step, found: safeText(said, FOUND_LENGTH) });
  }
}

export async function trial(
  { clock, wholeMs = WHOLE_MS }: TrialOptions,
  act: (steps: Steps) => Promise<void>,
): Promise<Tested> {
  const [over, done] = [new AbortController(), new AbortController()];
  void clock.sleep(wholeMs, done.signal).then(() => {
    if (!done.signal.aborted)
      over.abort(transient("TIMEOUT", `no answer within the ${Math.round(wholeMs / 1_000)} s that a test may take`));
  });
  const steps = new Steps(over.signal);
  try {
    await act(steps);
  } catch (error) {
    if (!(error instanceof Over)) throw error;
  } finally {
    done.abort();
  }
  return { ok: steps.all.every(({ ok }) => ok), steps: steps.all };
}

/** What we did not throw on purpose is a bug of ours, and nothing to be told of a service. */
function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof SluiceError && error.code !== "BUG") return new Fault("permanent", error.code, error.message);
  throw error;
}
