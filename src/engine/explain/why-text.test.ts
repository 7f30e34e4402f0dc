import { describe, expect, it } from "vitest";
import { at, base, now, qbittorrent, valve } from "../../../test/support/explain-facts.ts";
import { formatId } from "../../kit/index.ts";
import { explain } from "./explain.ts";
import { whyText } from "./why-text.ts";

const facts = {
  ...{ item: formatId("item", 603n), pipeline: "media", version: 2, stage: "deliver", status: "DELIVERING" },
  ...{ key: "trap-house", estimate: null },
};
const down = {
  ...qbittorrent,
  isOpen: true,
  probeAt: at("14:05"),
  message: "connection refused",
  changedAt: at("11:20"),
};

describe("why, in a terminal", () => {
  it("is a headline, a line for each sentence, and what one can do", () => {
    const explanation = explain(
      { ...base, service: down, valve: { ...valve, kind: "breaker", changedAt: at("11:20") } },
      { timeZone: "Etc/UTC" },
    );
    expect(whyText({ ...facts, explanation }, { now, timeZone: "Etc/UTC" })).toBe(
      [
        "itm_00000000000jv (media 2, trap-house) is DELIVERING in deliver since 11:20 (2 h 41 min)",
        "  Waiting for qbittorrent: not answering since 11:20 (2 h 41 min): connection refused.",
        "  Checked again at 14:05 (in 4 min).",
        "  That costs no attempt (1 of 5 used).",
        "You can:  have the service looked at now  │  cancel it",
      ].join("\n"),
    );
  });

  it("says when it will be done where that is known, and no more than there is", () => {
    const explanation = { ...explain(base), actions: [], since: null };
    expect(whyText({ ...facts, key: null, explanation, estimate: "Done in about 20–45 min." }, { now })).toMatch(
      /^itm_\w+ \(media 2\) is DELIVERING in deliver\n {2}In line .*\n {2}Done in about 20–45 min\.$/,
    );
  });
});
