import { describe, expect, test } from "vitest";
import type { Cause } from "./cause.ts";
import { fold } from "./fold.ts";
import type { RuleName } from "./rule.ts";

function cause(rule: RuleName, name: string, about: Pick<Cause, "pipelines" | "services"> = {}): Cause {
  const words = { title: name, sentence: "", byItself: "", examples: [] };
  return { rule, key: `${rule}/${name}`, count: 1, since: null, ...words, ...about };
}

const down = cause("service-down", "converter", { services: ["converter"], pipelines: ["documents"] });
const gone = cause("worker-offline", "nas", { pipelines: ["documents", "films"] });
const idle = cause("idle", "documents", { pipelines: ["documents"] });
const through = { pipelines: ["documents"], services: ["converter"] };
const elsewhere = { pipelines: ["films"], services: ["encoder:one"] };

describe("what is told", () => {
  test.each<[string, Cause[], string[]]>([
    ["a backlog behind a service that is down", [down, cause("backlog", "documents/convert", through)], [down.key]],
    [
      "failures of a stage whose service is down",
      [down, cause("error-rate", "documents/convert", through)],
      [down.key],
    ],
    ["stalls at a service that is down", [down, cause("stalled", "documents/convert", through)], [down.key]],
    ["stuck behind a service that is down", [down, cause("stuck", "documents/convert", through)], [down.key]],
    [
      "a backlog of another service",
      [down, cause("backlog", "films/encode", elsewhere)],
      [down.key, "backlog/films/encode"],
    ],
    ["a full disk beside it", [down, cause("disk-low", "data")], [down.key, "disk-low/data"]],
    ["nothing processed because the worker is gone", [gone, idle], [gone.key]],
    ["a backlog because the worker is gone", [gone, cause("backlog", "films/encode", elsewhere)], [gone.key]],
    [
      "failures though a worker is gone",
      [gone, cause("error-rate", "films/encode", elsewhere)],
      [gone.key, "error-rate/films/encode"],
    ],
    [
      "nothing processed of another pipeline",
      [gone, cause("idle", "quiz", { pipelines: ["quiz"] })],
      [gone.key, "idle/quiz"],
    ],
    ["a backlog because nothing is processed", [idle, cause("backlog", "documents/convert", through)], [idle.key]],
    ["stuck because nothing is processed", [idle, cause("stuck", "documents/convert", through)], [idle.key]],
    ["stuck by itself", [cause("stuck", "documents/convert", through)], ["stuck/documents/convert"]],
    ["a service down and a worker gone", [down, gone], [down.key, gone.key]],
    [
      "everything at once",
      [
        down,
        gone,
        idle,
        ...["backlog", "stuck", "error-rate", "stalled"].map((rule) => cause(rule as RuleName, "x", through)),
      ],
      [down.key, gone.key],
    ],
  ])("%s", (_, causes, keys) => {
    expect(fold(causes).own.map(({ key }) => key)).toEqual(keys);
  });

  test("of a crowd it is one message with its size, and those behind them are behind it", () => {
    const services = Array.from({ length: 11 }, (_, n) =>
      cause("service-down", `indexer:${n}`, { services: [`indexer:${n}`] }),
    );
    const behind = cause("backlog", "films/search", { services: ["indexer:3"] });
    const { own, into } = fold([...services, behind]);
    expect(own).toEqual([
      expect.objectContaining({
        key: "service-down/many",
        count: 11,
        examples: ["indexer:0", "indexer:1", "indexer:2"],
      }),
    ]);
    expect(into.get("service-down/indexer:4")).toBe("service-down/many");
    expect(into.get(behind.key)).toBe("service-down/indexer:3");
    expect(fold(services.slice(1)).own).toHaveLength(10);
  });
});
