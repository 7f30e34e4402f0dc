// What is told of a request whose server was gone, or failed, in the middle of it: where to look, or that it may be sent again.

import { actionOf } from "../http/change-notes.ts";
import { TellingError } from "../http/problem.ts";
import type { RoutePolicy } from "../http/routes.ts";

/** Done twice these come to the same as once, or are refused the second time; so nobody has to look first. */
export const SAME_AGAIN: ReadonlySet<string> = new Set([
  ...["items.cancel", "items.priority", "items.retry", "items.retry-parts", "jobs.retry"],
  ...["requests.cancel", "requests.priority", "requests.remove", "bulk.stop", "questions.answer"],
  ...["hold", "resume", "pipelines.versions.hold", "pipelines.versions.release", "services.check"],
  ...["schedules.pause", "schedules.resume", "finders.run", "finders.pause", "finders.resume", "finders.rewind"],
  ...["alerts.snooze", "accounts"],
  // The same file again is found where it is.
  ...["documents", "documents.retry"],
]);

/** What has an address of its own; of the rest the list tells. */
const ALONE: ReadonlySet<string> = new Set(["items", "requests", "bulk"]);

/** Where it can be seen whether it was done. Pure. */
export function whereToLook(path: string): string {
  const [, ...words] = path.split("/");
  const [kind = "", id] = words.slice(2);
  const at = id !== undefined && ALONE.has(kind) ? [kind, id] : [kind];
  return `GET /${[...words.slice(0, 2), ...at].join("/")}`;
}

export function unknownOutcome(route: RoutePolicy, path: string): TellingError {
  const what = "its server was gone, or failed, before it had answered, and it may be done or not";
  const isSame = SAME_AGAIN.has(actionOf(route));
  const then = isSame
    ? "send it again with a new Idempotency-Key: done twice it comes to the same, or is refused"
    : "look, and send it with a new Idempotency-Key if it is not";
  const instead = isSame ? `POST ${path}` : whereToLook(path);
  return new TellingError("OUTCOME_UNKNOWN", `${what}; ${then}`, { instead: [instead] }, "Idempotency-Key");
}
