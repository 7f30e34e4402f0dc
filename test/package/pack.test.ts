// What a user gets: the packed tarball, installed into an empty folder, used as a library, by the compiler and as a command.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const compiler = join(root, "node_modules/typescript/bin/tsc");
const manifest: { version: string; devDependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

function run(folder: string, program: string, ...args: string[]): string {
  const done = spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 110_000 });
  if (done.status !== 0) {
    throw new Error(`${program} ${args.join(" ")} left with ${done.status}\n${done.stdout}\n${done.stderr}`);
  }
  return done.stdout;
}

const library = `
import { definePipeline, openSluice } from "sluice";
console.log(typeof definePipeline, typeof openSluice);
`;

// Were the declarations missing or broken, everything would be typed any, and the assignment would not compile.
const typed = `
import { definePipeline, openSluice } from "sluice";
type IsAny<T> = 0 extends 1 & T ? true : false;
export const isAny: [IsAny<typeof definePipeline>, IsAny<typeof openSluice>] = [false, false];
`;

const consumerOptions = {
  compilerOptions: { strict: true, noEmit: true, module: "nodenext", target: "es2024", types: ["node"] },
  files: ["typed.ts"],
};

describe("the packed package", () => {
  const work = mkdtempSync(join(tmpdir(), "sluice-pack-"));
  const consumer = join(work, "consumer");

  beforeAll(() => {
    run(root, "npm", "pack", "--pack-destination", work);
    const [tarball] = globSync("sluice-*.tgz", { cwd: work });
    if (tarball === undefined) throw new Error("npm pack made no tarball");
    mkdirSync(consumer);
    writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const nodeTypes = `@types/node@${manifest.devDependencies["@types/node"]}`;
    run(consumer, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", join(work, tarball), nodeTypes);
  });

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it("holds JavaScript and declarations, and neither tests nor sources", () => {
    const files = globSync("**/*", { cwd: join(consumer, "node_modules/sluice") });
    expect(files).toContain("dist/engine/index.js");
    expect(files).toContain("dist/engine/index.d.ts");
    expect(files).toContain("LICENSE");
    expect(files.filter((file) => /(^|\/)(src|test)(\/|$)|\.(test|check)\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  it("imports as a library", () => {
    writeFileSync(join(consumer, "library.mjs"), library);
    expect(run(consumer, process.execPath, "library.mjs").trim()).toBe("function function");
  });

  it("type-checks a consumer, its own declarations included", () => {
    writeFileSync(join(consumer, "typed.ts"), typed);
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(consumerOptions));
    run(consumer, process.execPath, compiler, "--project", "tsconfig.json");
  });

  it("brings sluice/connectors", () => {
    writeFileSync(join(consumer, "jobs.mjs"), `console.log(typeof (await import("sluice/connectors")).httpJobs);`);
    expect(run(consumer, process.execPath, "jobs.mjs").trim()).toBe("function");
  });

  it("offers sluice/testing to those who install PGlite", () => {
    mkdirSync(join(consumer, "node_modules/@electric-sql"));
    symlinkSync(join(root, "node_modules/@electric-sql/pglite"), join(consumer, "node_modules/@electric-sql/pglite"));
    writeFileSync(
      join(consumer, "testing.mjs"),
      `console.log(Object.keys(await import("sluice/testing")).length > 0);`,
    );
    expect(run(consumer, process.execPath, "testing.mjs").trim()).toBe("true");
  });

  it("brings the sluice command", () => {
    expect(run(consumer, "npx", "--no-install", "sluice", "--version").trim()).toBe(manifest.version);
  });
});
