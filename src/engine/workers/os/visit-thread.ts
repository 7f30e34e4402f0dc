// The thread's side: one visit at a time, with what it needs of the other side asked for by message.

import { parentPort } from "node:worker_threads";
import { BugError, invariant, safeText } from "../../../kit/index.ts";
import { type Fault, toFault } from "../../pipeline/fault.ts";
import type { Visit } from "../../pipeline/visit.ts";
import { handlerOf } from "../threads.ts";
import type { LogLevel } from "../visit-log.ts";
import { packFault, packResult, unpackFault } from "../visit-wire.ts";
import type { FromThread, ThreadVisit, ToThread } from "./thread-messages.ts";

invariant(parentPort !== null, "this file runs in a thread");
const port = parentPort;
const say = (message: FromThread) => port.postMessage(message);
const asking = new Map<number, (fault: Fault | undefined) => void>();
const aborts = new Map<number, AbortController>();
let asked = 0;

port.on("message", (message: ToThread) => {
  switch (message.type) {
    case "visit":
      void visit(message.id, message.module, message.visit);
      break;
    case "abort":
      aborts.get(message.id)?.abort(unpackFault(message.fault));
      break;
    case "saved":
      asking.get(message.ask)?.(message.fault === undefined ? undefined : unpackFault(message.fault));
      asking.delete(message.ask);
      break;
  }
});

async function visit(id: number, module: string, given: ThreadVisit): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const handler = await handlerOf(module);
    const outcome = await handler(visitOf(id, given, abort.signal));
    say({ type: "ended", id, result: packResult({ outcome }, given.stage) });
  } catch (error) {
    say({ type: "ended", id, result: { fault: packFault(toFault(error)) } });
  } finally {
    aborts.delete(id);
  }
}

function visitOf(id: number, given: ThreadVisit, signal: AbortSignal): Visit {
  let saved = given.checkpoint;
  return {
    ...given,
    signal,
    checkpoint: {
      get value() {
        return saved;
      },
      async save(value) {
        await ask((number) => ({ type: "checkpoint", id, ask: number, value }));
        saved = value;
      },
    },
    progress: (percent) => say({ type: "progress", id, percent }),
    log: { info: noter(id, "info"), warn: noter(id, "warn"), error: noter(id, "error") },
    call: () => {
      throw new BugError("a handler in a thread calls no services; do that in a stage of its own");
    },
  };
}

function noter(id: number, level: LogLevel) {
  return (text: string, facts?: Record<string, unknown>) => {
    const note = { type: "log", id, level, text: safeText(text, 2_000) } as const;
    try {
      say({ ...note, facts });
    } catch {
      // A function or a proxy among them, which cannot travel; noting never throws.
      say({ ...note, facts: { shown: safeText(facts, 2_000) } });
    }
  };
}

async function ask(question: (ask: number) => FromThread): Promise<void> {
  asked += 1;
  const number = asked;
  const fault = await new Promise<Fault | undefined>((resolve) => {
    asking.set(number, resolve);
    say(question(number));
  });
  if (fault !== undefined) throw fault;
}
