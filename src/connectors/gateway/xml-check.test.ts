import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { XmlCheck, XmlProblem } from "./xml-check.ts";
import { element, startTag } from "./xml-write.ts";

function judge(xml: string | Uint8Array, piece = 7): string {
  const bytes = Buffer.from(xml);
  const check = new XmlCheck();
  try {
    for (let at = 0; at < bytes.length; at += piece) check.push(bytes.subarray(at, at + piece));
    check.end();
    return "good";
  } catch (error) {
    if (error instanceof XmlProblem) return error.kind;
    throw error;
  }
}

describe("what comes in pieces", () => {
  it.each([
    ["<a/>", "good"],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<!-- hello -->\n<a b="c">&lt;&#228;ü<![CDATA[<x>]]></a>\n', "good"],
    ["\uFEFF<a/>", "good"],
    ["", "bad"],
    [" \n ", "bad"],
    ["hello", "bad"],
    ["<a>", "truncated"],
    ["<a><b></b>", "truncated"],
    ["<a><b", "truncated"],
    ["<a></b>", "bad"],
    ["<a/><b/>", "bad"],
    ["<a b=c/>", "bad"],
    ["<a>&unknown;</a>", "bad"],
    ["<a>\u0001</a>", "bad"],
    ["<!DOCTYPE a><a/>", "bad"],
    ['<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "bad"],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "bad"],
    ["<!DOCTYPE html><html><body><br></body></html>", "web-page"],
    ["<html><body><p>Sign in<br></html>", "web-page"],
    ["<!-- proxy --><HTML><head><meta></head>", "web-page"],
    [`${"<a>".repeat(300)}${"</a>".repeat(300)}`, "bad"],
  ])("%j is %s", (xml, verdict) => {
    expect([judge(xml, 1), judge(xml), judge(xml, 10_000)]).toEqual([verdict, verdict, verdict]);
  });

  it("other than UTF-8 is none", () => {
    expect(judge(Buffer.from("<a>\xFC</a>", "latin1"))).toBe("bad");
    expect(judge(Buffer.from("<a>ü</a>").subarray(0, 4))).toBe("truncated");
  });
});

it("whatever is written is well-formed", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(text, text, fc.double(), (content, value, number) => {
      const xml = `${startTag("a", { value, number, none: undefined })}${element("b", { value }, content)}</a>`;
      expect(judge(xml, 1_000)).toBe("good");
    }),
  );
});
