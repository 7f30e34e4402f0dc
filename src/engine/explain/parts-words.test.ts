import { describe, expect, test } from "vitest";
import type { PartStatus } from "../items/parts.ts";
import type { Explanation } from "./explanation.ts";
import { PARTS_TOLD, type PartFacts, type PartsFacts, withParts } from "./parts-words.ts";
import { timeWords } from "./time-words.ts";

const now = new Date("2030-01-01T14:00:00Z");
const times = timeWords(now);
const explained = (reason: string, change: Partial<Explanation> = {}): Explanation => ({
  state: "waiting",
  reason,
  sentence: "Done at 13:00 UTC.",
  discreetSentence: "Done at 13:00 UTC.",
  since: now,
  until: null,
  service: null,
  actions: ["cancel"],
  ...change,
});
interface Part extends PartFacts {
  readonly status: PartStatus;
}
const part = (name: string, status: PartStatus, change: Partial<PartFacts> = {}): Part => ({
  name,
  status,
  code: status === "failed" ? "EPERM" : null,
  message: status === "failed" ? "permission denied" : null,
  sentence: status === "pending" ? "Waiting for server." : null,
  discreetSentence: status === "pending" ? "Waiting." : null,
  ...change,
});
const facts = (parts: readonly Part[], canRetry = true): PartsFacts => {
  const some = (status: PartStatus) => {
    const all = parts.filter((one) => one.status === status);
    return { count: all.length, told: all.slice(0, PARTS_TOLD) };
  };
  const [pending, failed, cancelled] = [some("pending"), some("failed"), some("cancelled")];
  const done = some("done").count;
  return { total: parts.length, done, pending, failed, cancelled, canRetry: canRetry && failed.count > 0 };
};

describe("an item with parts is explained with them:", () => {
  test.each<[string, Explanation, readonly Part[], string]>([
    ["nothing without parts", explained("parts"), [], "Done at 13:00 UTC."],
    [
      "who it waits for",
      explained("parts"),
      [part("nas-1", "done"), part("nas-2", "pending"), part("nas-3", "done")],
      "Done for 2 of 3. nas-2: Waiting for server.",
    ],
    [
      "what failed meanwhile, and how many more are on the way",
      explained("parts"),
      [
        part("nas-1", "failed"),
        part("nas-2", "pending"),
        part("nas-3", "pending", { sentence: null, discreetSentence: null }),
      ],
      "Done for 0 of 3; failed for nas-1 (EPERM, permission denied). nas-2: Waiting for server. 1 more is on the way.",
    ],
    [
      "what is missing of one that is done",
      explained("done"),
      [part("nas-1", "done"), part("nas-2", "cancelled"), part("nas-3", "failed")],
      "Done at 13:00 UTC. Done for 1 of 3; failed for nas-3 (EPERM, permission denied); cancelled for nas-2.",
    ],
    ["nothing more of one that is done in full", explained("done"), [part("nas-1", "done")], "Done at 13:00 UTC."],
    [
      "what is being undone",
      explained("withdrawing", { until: new Date("2030-01-01T14:05:00Z") }),
      [part("nas-1", "done"), part("nas-2", "failed")],
      "Failed for nas-2 (EPERM, permission denied); what the others did is being undone. Tried again at 14:05 UTC (in 5 min).",
    ],
    ["nothing where it is about something else", explained("paused"), [part("nas-1", "failed")], "Done at 13:00 UTC."],
  ])("%s", (_, explanation, parts, sentence) => {
    const told = withParts(explanation, facts(parts), times);
    expect(told.sentence).toBe(sentence);
    expect(told.discreetSentence).toBe(sentence.replaceAll("Waiting for server.", "Waiting."));
  });

  test("failed ones can be tried again alone, unless they succeed all or not at all", () => {
    const failed = part("nas-1", "failed");
    expect(withParts(explained("done"), facts([failed]), times).actions).toEqual(["cancel", "retry-parts"]);
    expect(withParts(explained("failed"), facts([failed], false), times).actions).toEqual(["cancel"]);
  });
});
