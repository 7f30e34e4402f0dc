import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attribute, child, childrenOfAnyNamespace, parseXml, textOf } from "./xml.ts";

const parse = (text: string, type?: string) => parseXml(Buffer.from(text), type);
const element = (text: string) => {
  const parsed = parse(text);
  return "root" in parsed ? parsed.element : expect.fail(parsed.problem);
};

describe("what is read", () => {
  test("is elements, attributes and text", () => {
    const root = element(
      `<?xml version="1.0"?><!-- hello --><a b="1 &amp; 2"><c>x &lt; y</c><n:d>1</n:d><m:d>2</m:d></a>`,
    );
    expect(attribute(root, "b")).toBe("1 & 2");
    expect(textOf(child(root, "c"))).toBe("x < y");
    expect(childrenOfAnyNamespace(root, "d").map(textOf)).toEqual(["1", "2"]);
    expect([attribute(root, "none"), child(root, "none"), textOf(undefined)]).toEqual([undefined, undefined, ""]);
  });

  test.each([
    ["&#65;&#x42;", "AB"],
    ["&#0;&#x110000;", ""],
    ["&nbsp;&lol;", "&nbsp;&lol;"],
    ["&amp;lt;", "&lt;"],
    ["<![CDATA[<b>]]>", "<b>"],
  ])("%s is %s", (text, expected) => {
    expect(textOf(element(`<a>${text}</a>`))).toBe(expected);
  });

  test("may be in the encoding that it declares", () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><a>Amélie</a>`, "latin1");
    expect(parseXml(latin)).toEqual({ root: "a", element: "Amélie" });
  });
});

describe("what is not read", () => {
  test.each<[string, string, string | undefined, string]>([
    ["nothing", "", undefined, "nothing"],
    ["white space", " \n", undefined, "nothing"],
    ["a page", "<!DOCTYPE html><html><p>x<br></html>", undefined, "a web page, not XML"],
    ["a page that is XML", `<?xml version="1.0"?><html><p>x</p></html>`, undefined, "a web page, not XML"],
    ["a page without a head", "<div>log in<br></div>", "text/html", "a web page, not XML"],
    ["text", "Forbidden", "text/plain", "something that is not XML"],
    ["a page of text", "Forbidden", "text/html; charset=utf-8", "a web page, not XML"],
    ["JSON", `{"error":1}`, "application/json", "something that is not XML"],
    ["half a document", "<rss><channel><item><title>x</title></item>", undefined, "broken XML"],
    ["two documents", "<a/><b/>", undefined, "XML that is not one document"],
    ["an unknown encoding", `<?xml version="1.0" encoding="klingon"?><a/>`, undefined, "text in an unknown encoding"],
    ["names that are traps", "<rss><__proto__><x>1</x></__proto__></rss>", undefined, "broken XML"],
  ])("%s", (_, text, type, problem) => {
    expect(parse(text, type)).toEqual({ problem });
  });

  test("bytes that are no text", () => {
    expect(parseXml(Buffer.from([0x3c, 0x61, 0xff, 0xfe]))).toEqual({ problem: "text in an unknown encoding" });
  });

  test("a billion laughs: no DOCTYPE is", () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("");
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]><rss><channel><title>&l9;</title></channel></rss>`;
    expect(parse(bomb)).toEqual({ problem: "XML with a DOCTYPE, which is not read" });
  });

  test("nor one that hides behind the first element", () => {
    const parsed = parse(`<rss><!DOCTYPE rss [<!ENTITY l "ha">]><channel><title>&l;</title></channel></rss>`);
    const title = "root" in parsed ? textOf(child(child(parsed.element, "channel"), "title")) : "";
    expect(title).not.toContain("ha");
  });

  test("a file of this machine", () => {
    expect(parse(`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`)).toHaveProperty("problem");
  });

  test("elements within elements without an end", () => {
    for (const depth of [30, 50_000])
      expect(parse("<a>".repeat(depth) + "</a>".repeat(depth))).toEqual({ problem: "broken XML" });
  });

  test("nothing makes it throw", () => {
    const pieces = fc.constantFrom(
      "<a>",
      "</a>",
      "<",
      ">",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "?>",
      "&",
      ";",
      "\0",
      '"',
      "=",
      "x",
    );
    fc.assert(fc.property(fc.array(fc.oneof(pieces, fc.string())), (all) => void parse(all.join(""))));
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseXml(bytes)));
  });
});
