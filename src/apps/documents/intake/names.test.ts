import { expect, it } from "vitest";
import { resultName, SafeNames, shownName } from "./names.ts";

it.each([
  ["contract.pdf", "contract.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\a.pdf", "a.pdf"],
  ["a\u202Efdp.exe\n", "a fdp.exe"],
  ["", "document.pdf"],
  ["..", "document.pdf"],
  [undefined, "document.pdf"],
])("%j is shown as %s", (sent, shown) => {
  expect(shownName(sent)).toBe(shown);
  expect([...shownName("x".repeat(999))]).toHaveLength(200);
});

it("gives files in an archive names of their own that every system takes", () => {
  const names = new SafeNames();
  const taken = ["a.pdf", "A.PDF", "con.pdf", "x/../y?.pdf", "...", "naïve 文.pdf"].map((one) =>
    names.take(resultName(one)),
  );
  expect(taken).toEqual(["a.xml", "A (2).xml", "_con.xml", "x_.._y_.xml", "document.xml", "naïve 文.xml"]);
});
