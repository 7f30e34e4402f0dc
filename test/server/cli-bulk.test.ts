// One action on all that a filter finds, as a process: looked at, asked about, left to itself and come back to.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, definePipeline, type ItemId, openSluice, type Sluice } from "../../src/engine/index.ts";
import { runCli, startCli } from "../support/cli.ts";
import { startServer, type TestServer } from "../support/server.ts";

const cuts = definePipeline("cuts", { version: 1, input: z.object({ n: z.number() }) }).stage("choose", {
  run: () => ask("Which cut?"),
});
const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

let database: TestServer;
let sluice: Sluice;
let items: readonly ItemId[];
let folder: string;
const local = () => ({ DATABASE_URL: database.url() });
const cli = (...args: string[]) => runCli(args, local(), folder);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-cli-bulk-"));
  database = await startServer();
  sluice = await openSluice({ pipelines: [cuts], database: database.url(), worker: false });
  ({ items } = await sluice.submit(cuts, numbers(7)));
}, 60_000);
afterAll(async () => {
  await sluice.close();
  await database.stop();
  rmSync(folder, { recursive: true });
});

describe("before it is done", () => {
  it("a dry run says how many, and the first of them, and does nothing", async () => {
    const { code, stdout } = await cli("cancel", "--filter", "pipeline:cuts state:queued", "--dry-run");
    expect(code).toBe(0);
    const lines = items.slice(0, 5).map((id) => `  ${id}`);
    expect(stdout).toBe(["would cancel 7 items", ...lines, "  and 2 more", ""].join("\n"));
    const { preview } = JSON.parse((await cli("cancel", "--filter", "pipeline:cuts", "--dry-run", "--json")).stdout);
    expect(preview).toEqual({ matched: 7, would: 7, examples: items.slice(0, 5), refused: [] });
    expect((await sluice.item(items[0] as ItemId)).state).toBe("queued");
  });

  it("nobody is there to be asked: it ends with 2 and names the flag", async () => {
    const { code, stderr } = await cli("cancel", "--filter", "pipeline:cuts");
    expect(code).toBe(2);
    expect(stderr).toMatch(/Cancel 7 items\?(.|\n)*--yes/);
  });

  it("neither ids nor a filter, both, and a filter that means nothing are told", async () => {
    expect(await cli("cancel")).toMatchObject({ code: 2, stderr: expect.stringContaining("--filter") });
    expect((await cli("cancel", items[0] ?? "", "--filter", "pipeline:cuts")).stderr).toContain(
      "either ids or a filter",
    );
    expect((await cli("cancel", "--filter", "state:quwued")).stderr).toContain("did you mean queued?");
    expect((await cli("retry", "--filter", "pipeline:cuts", "--parts")).stderr).toContain("--parts goes with ids");
  });

  it("what finds nothing is no failure; what is refused by all is", async () => {
    expect(await cli("cancel", "--filter", "pipeline:none", "--yes")).toMatchObject({
      code: 0,
      stdout: "no item matches pipeline:none\n",
    });
    const refused = await cli("take-back", "--filter", "pipeline:cuts", "--yes");
    expect(refused).toMatchObject({ code: 5, stdout: expect.stringContaining("7 refused: no worker holds it") });
  });
});

describe("once it is begun", () => {
  it("whoever has seen enough leaves it to itself, and is told how to come back and how to stop it", async () => {
    const going = startCli(["cancel", "--filter", "pipeline:cuts", "--yes"], local(), folder);
    await going.says(/no worker lives; it is done when one starts/);
    const [id = ""] = await going.says(/opr_\w+/);
    expect(await going.end("SIGINT")).toBe(130);
    expect(going.said()).toContain(`sluice operation ${id}`);
    expect(await cli("operation")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^${id}\tcancel\trunning\t7`),
    });
    expect((await cli("operation", id)).stdout).toMatch(/items +7: 0 done, 0 refused, 0 failed, 7 to come/);
    expect((await cli("operation", "stop", id, "--dry-run")).stdout).toBe("would leave 7 alone\n");
    expect((await cli("operation", "stop", id)).stdout).toMatch(/state +stopped/);
    expect((await cli("operation", "stop", id)).code).toBe(5);
    expect((await cli("operation", id, "--wait")).code).toBe(1);
    expect((await cli("operation", "opr_0000000000099")).code).toBe(3);
  });

  it("what comes of it is what the dry run said; and a copy is told by its name", async () => {
    const worker = await openSluice({ pipelines: [cuts], database: database.url() });
    try {
      await sluice.cancel(items[6] as ItemId);
      const filter = ["--filter", "pipeline:cuts"];
      const { preview } = JSON.parse((await cli("cancel", ...filter, "--dry-run", "--json")).stdout);
      expect(preview).toMatchObject({ matched: 7, would: 6 });
      const done = await cli("cancel", ...filter, "--yes", "--json");
      expect(done.code).toBe(7);
      expect(JSON.parse(done.stdout).operation).toMatchObject({
        state: "finished",
        total: preview.matched,
        counts: { done: preview.would, refused: 1, failed: 0, stopped: 0, open: 0 },
      });
      const again = await cli("cancel", "--filter", "pipeline:cuts", "--yes");
      expect(again).toMatchObject({ code: 5, stdout: expect.stringContaining("7 refused: it has ended already") });
      const copied = await cli("replay", items[0] ?? "", "--from", "choose", "--copy");
      expect(copied.stdout).toMatch(new RegExp(`^${items[0]}\tcopied as itm_\\w+ in req_\\w+\n$`));
    } finally {
      await worker.close();
    }
  });
});
