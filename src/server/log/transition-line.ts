// An event as a line of the log. Pure. One event, one line.

import type { ItemEvent, SluiceEvent, StageFacts } from "../../engine/index.ts";
import { statusWords } from "./status-words.ts";

export interface TransitionLine {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  /** What is not known, or does not apply, is left out. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export type StagesOf = (pipeline: {
  readonly name: string;
  readonly version: number;
}) => readonly StageFacts[] | undefined;

export function transitionLine(event: SluiceEvent, stagesOf: StagesOf): TransitionLine {
  const facts = event.item === undefined ? factsOfOther(event) : factsOfItem(event, stagesOf);
  return { level: levelOf(event), event: event.type, facts: withoutAbsent(facts) };
}

function levelOf(event: SluiceEvent): TransitionLine["level"] {
  switch (event.type) {
    case "item.failed":
      return "error";
    case "item.fault":
    case "item.crashed":
    case "item.odd":
      return "warn";
    case "service.changed":
      return event.reason === "opened" ? "warn" : "info";
    case "check.changed":
      return "warn";
    default:
      return "info";
  }
}

function factsOfItem(event: ItemEvent, stagesOf: StagesOf): Record<string, unknown> {
  const { pipeline, version, from, to, outcome, code, message, reason } = event;
  const words = statusWords(event, stagesOf({ name: pipeline, version }));
  const isError = outcome === "fault" || outcome === "crashed" || event.end === "failed";
  const stage = from ?? to;
  return {
    at: event.at,
    itemId: event.item,
    requestId: event.request,
    pipeline,
    version,
    stage,
    fromStatus: words.from,
    toStatus: words.to,
    attempt: event.attempt,
    durationMs: event.tookMs,
    serviceStatus: serviceStatus(code, message),
    errorCode: isError ? code : null,
    breaker: reason === "service_down" ? "open" : null,
    worker: event.worker?.name,
    toStage: to === stage ? null : to,
    reason,
    code: isError ? null : code,
    detail: message,
    msg: [stage, outcome, code ?? reason].filter((word) => word !== null).join(" "),
  };
}

function factsOfOther(event: SluiceEvent): Record<string, unknown> {
  const { at, reason, code, message, worker, output, type } = event;
  const service = type === "service.changed" ? named(output) : undefined;
  const breaker = service === undefined ? null : reason === "opened" ? "open" : "closed";
  const serviceSaid = service === undefined ? null : serviceStatus(code, message);
  const msg = [type.replace(".", " "), service, code ?? reason].filter((word) => word != null).join(" ");
  return { at, service, breaker, serviceStatus: serviceSaid, reason, code, detail: message, worker: worker?.name, msg };
}

function named(output: unknown): string {
  return output !== null && typeof output === "object" && "service" in output ? String(output.service) : "";
}

/** What a service answered over HTTP, as our connectors name it: by the code, or in the sentence where the code is a better word. */
function serviceStatus(code: string | null, message: string | null): number | null {
  const [, status] = /^HTTP_(\d{3})$/.exec(code ?? "") ?? / answered (\d{3}) to /.exec(message ?? "") ?? [];
  return status === undefined ? null : Number(status);
}

function withoutAbsent(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined));
}
