import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Text between tags, and in attributes that people read or hear. */
const READ = [
  /^\s*([A-Z][\w’']*(?: [\w’',.]+)*[.:?]?)\s*$/,
  />([A-Z][\w ’',.]*[a-z.:?])</,
  /\b(?:aria-label|title|placeholder|alt|label)=(?:"|\{`)([A-Za-z][^"`]*)/,
];

/** What is said in a page and not in the catalogue. */
function saidIn(source: string): string[] {
  return source.split("\n").flatMap((line) => {
    const found = READ.map((pattern) => pattern.exec(line)?.[1]).find((text) => text !== undefined);
    return found === undefined ? [] : [found];
  });
}

describe("the catalogue", () => {
  it("has all texts of the pages", () => {
    const files = globSync("{pages,frame,ui}/**/*.tsx", { cwd: root });
    expect(files.length).toBeGreaterThan(50);
    const said = files.flatMap((file) =>
      saidIn(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
    );
    expect(said).toEqual([]);
  });

  it.each([
    ["between tags", "<h1>Break something</h1>", "Break something"],
    ["on a line of its own", "      Nothing failed.", "Nothing failed."],
    ["to those who listen", '<nav aria-label="Pages">', "Pages"],
    ["as a template", "<p aria-label={`Loading it`} />", "Loading it"],
  ])("is missed by a text %s", (_, source, text) => expect(saidIn(source)).toEqual([text]));

  it("is not missed by code", () => {
    expect(
      saidIn("import { A } from 'a';\n  readonly a: Map<string, Promise<Answer>>;\n  <b>{texts.a}</b>\n  Empty,"),
    ).toEqual([]);
  });
});
