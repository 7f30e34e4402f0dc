// Looking on while something lasts: the work goes on without us, so a server that is away for a while ends nothing.

import { CommandError, EXIT } from "../exit.ts";
import type { Output } from "../output.ts";
import type { Asked, Client } from "./client.ts";

export type PatientAsk = <Answer>(path: string, asked?: Asked) => Promise<Answer | undefined>;

/** Undefined where there is no answer now, or the signal says stop: whoever looks comes again. Told once, until it is back. */
export function patientAsk(client: Client, { note }: Pick<Output, "note">, signal: AbortSignal): PatientAsk {
  let isTold = false;
  return async <Answer>(path: string, asked: Asked = {}) => {
    try {
      const answer = await client.ask<Answer>(path, { ...asked, signal });
      isTold = false;
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof CommandError) || error.exit !== EXIT.unreachable) throw error;
      if (!isTold) note(`sluice: ${error.message}; the work goes on, and is looked at again`);
      isTold = true;
      return undefined;
    }
  };
}
