import { describe, expect, it } from "vitest";
import { GATEWAY_CODES } from "../../connectors/index.ts";
import { permanent, transient, unavailable } from "../../engine/index.ts";
import { CODES, codeSentence, DOCUMENT_CODES, publicCode, toldWords } from "./codes.ts";
import { toldFault, withoutPlaces } from "./faults.ts";

describe("codes", () => {
  it.each([
    ["GW_UNAVAILABLE", "GW_5XX"],
    ["NOT_REACHED", "GW_5XX"],
    ["GW_RESET", "GW_5XX"],
    ["PARSE_ERROR", "GW_4XX"],
    ["VALIDATION_ERROR", "GW_4XX"],
    ["INVALID_MAPPING", "GW_4XX"],
    ["MEMORY_ERROR", "IO_ERROR"],
    ["ENOSPC", "IO_ERROR"],
    ["TIMEOUT", "GW_TIMEOUT"],
    ["SOURCE_GONE", "EXPIRED"],
    ["CRASH_LOOP", "UNKNOWN"],
    ["BUG", "UNKNOWN"],
    ["toString", "UNKNOWN"],
  ])("%s is told as %s", (inner, told) => {
    expect(publicCode(inner)).toBe(told);
  });

  it("are ten, each with a sentence and an advice, and nothing of a gateway is unknown", () => {
    expect(CODES).toHaveLength(10);
    for (const { sentence, advice } of Object.values(DOCUMENT_CODES))
      for (const text of [sentence, advice]) expect(text).toMatch(/^[A-Z].*\.$/);
    for (const code of Object.keys(GATEWAY_CODES)) expect(publicCode(code), code).not.toBe("UNKNOWN");
  });

  it("say more where more is known", () => {
    expect(codeSentence("PASSWORD_PROTECTED")).toBe(
      "The converter rejected this document. It cannot be opened without a password.",
    );
  });
});

describe("what is stored of a failure, as it is told", () => {
  const told = (inner: string) => {
    const { code, message } = toldFault(permanent(inner, "at /srv/x/y.pdf", { service: "gateway" }));
    return toldWords(code, message);
  };

  it("of memory, speaks of memory and not of the disk", () => {
    const { code, sentence, advice } = told("MEMORY_ERROR");
    expect(code).toBe("IO_ERROR");
    expect(sentence).toMatch(/memory/);
    expect(advice).toMatch(/memory/);
    expect(`${sentence} ${advice}`).not.toMatch(/disk|saved/);
    expect(told("DISK_FULL").advice).toMatch(/disk/);
  });

  it("is the code's own advice where nothing better is known, and never another's words", () => {
    expect(told("PARSE_ERROR").advice).toBe(DOCUMENT_CODES.GW_4XX.advice);
    expect(toldWords("CRASH_LOOP", "died at /srv/x/y.ts")).toMatchObject({
      ...{ code: "UNKNOWN", sentence: expect.not.stringContaining("/srv") },
    });
    expect(toldWords("UNKNOWN", "said at /srv/x/y.ts").sentence).toBe(DOCUMENT_CODES.UNKNOWN.sentence);
  });
});

describe("a fault as it is told", () => {
  it("keeps what decides, and tells a sentence of ours", () => {
    const told = toldFault(permanent("MEMORY_ERROR", "at /srv/x/y.pdf", { service: "gateway" }));
    expect([told.kind, told.code, told.breaker, told.service]).toEqual(["permanent", "IO_ERROR", "success", "gateway"]);
    expect(told.message).not.toContain("/srv");
    const reset = toldFault(transient("GW_RESET", "gone", { service: "gateway" }), "30s");
    expect([reset.kind, reset.code, reset.breaker, reset.retryAfterMs]).toEqual([
      "transient",
      "GW_5XX",
      "failure",
      undefined,
    ]);
  });

  it("that only waits keeps its code, and waits as its breaker does", () => {
    const away = toldFault(unavailable("GW_UNAVAILABLE", "refused", { service: "gateway" }), "30s");
    expect([away.code, away.breaker, away.retryAfterMs]).toEqual(["GW_UNAVAILABLE", "failure", 30_000]);
    const busy = toldFault(unavailable("GW_BUSY", "later", { service: "gateway", retryAfter: "7s" }), "30s");
    expect([busy.breaker, busy.retryAfterMs]).toEqual(["none", 7_000]);
    expect(toldFault(unavailable("AUTH", "no", { service: "gateway" }), "30s").breaker).toBe("open");
  });
});

it.each([
  ["ENOENT: no such file, open '/data/uploads/ab/x.pdf'", "ENOENT: no such file, open '…'"],
  ["asked http://10.0.0.7:8002/process?x=1 in vain", "asked … in vain"],
  ["TypeError: x\n    at f (/srv/app/a.ts:1:2)", "TypeError: x"],
  ["at C:\\data\\x.pdf", "at …"],
  ["3/4 of it, and/or more", "3/4 of it, and/or more"],
])("withoutPlaces(%j)", (text, told) => {
  expect(withoutPlaces(text)).toBe(told);
});
