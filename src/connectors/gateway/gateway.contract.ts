// What every gateway keeps to, whoever it is.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { Fault } from "../../engine/index.ts";
import type { ConvertOrder, Gateway } from "./gateway.ts";
import { XmlCheck } from "./xml-check.ts";

export interface GatewayContractWorld {
  readonly client: Gateway;
  /** One that it can convert. */
  readonly pdf: Uint8Array;
  readonly mapping: string;
  /** A path for each name, in a folder that goes with the test. */
  path(name: string): string;
  /** Whether it can be reached. */
  down(isDown: boolean): Promise<void>;
  /** How often what was asked under a key was converted; null where nobody counts. */
  converted(key: string): number | null;
}

export interface GatewayContractCase {
  readonly name: string;
  readonly run: (world: GatewayContractWorld) => Promise<void>;
}

async function order(world: GatewayContractWorld, more: Partial<ConvertOrder> = {}): Promise<ConvertOrder> {
  const file = world.path("in.pdf");
  await writeFile(file, world.pdf);
  return {
    key: "item-1:convert",
    file,
    name: "A report.pdf",
    mapping: world.mapping,
    output: world.path("out.part"),
    ...more,
  };
}

export function isFault(kind: string, code: string, breaker: string): (error: unknown) => boolean {
  return (error) => {
    ok(error instanceof Fault, `no fault: ${String(error)}`);
    deepEqual([error.kind, error.code, error.breaker], [kind, code, breaker], error.message);
    return true;
  };
}

const NAMES = [
  "../../etc/passwd",
  'a"b\r\nX: y.pdf',
  "nul\u0000.pdf",
  "\u202Efdp.exe",
  "",
  "a".repeat(5_000),
  "Größe – 紙.pdf",
];

export const gatewayContract: readonly GatewayContractCase[] = [
  {
    name: "says what it is and what it can make",
    async run({ client, mapping }) {
      const { name, version, mappings } = await client.about();
      ok(name !== "" && version !== "");
      ok(mappings === null || mappings.includes(mapping));
    },
  },
  {
    name: "makes of a PDF one well-formed document without a DOCTYPE, as long as it says and with the hash it says",
    async run(world) {
      const asked = await order(world);
      const { bytes, sha256, pages } = await world.client.convert(asked);
      const xml = await readFile(asked.output);
      equal(xml.byteLength, bytes);
      equal(createHash("sha256").update(xml).digest("hex"), sha256);
      ok(pages === null || pages > 0);
      const check = new XmlCheck();
      check.push(xml);
      check.end();
      ok(!xml.includes("<!DOCTYPE"));
      deepEqual([1, null].includes(world.converted(asked.key)), true);
    },
  },
  {
    name: "makes the same of the same, over whatever lay there",
    async run(world) {
      const asked = await order(world);
      const first = await world.client.convert(asked);
      await writeFile(asked.output, "x".repeat(1_000_000));
      deepEqual(await world.client.convert(asked), first);
      equal((await readFile(asked.output)).byteLength, first.bytes);
    },
  },
  {
    name: "several at one time do not get into each other's way",
    async run(world) {
      const asked = await order(world);
      const outputs = ["a", "b"].map((name) => world.path(name));
      const all = await Promise.all(
        outputs.map((output, index) => world.client.convert({ ...asked, output, key: `k${index}` })),
      );
      deepEqual(all[0], all[1]);
      const [a, b] = await Promise.all(outputs.map((output) => readFile(output)));
      ok(a?.equals(b ?? Buffer.alloc(0)));
    },
  },
  {
    name: "a mapping that it does not know is refused for good, and leaves nothing",
    async run(world) {
      const asked = await order(world, { mapping: "poetry" });
      await rejects(
        world.client.convert(asked),
        (error) => error instanceof Fault && error.code === "INVALID_MAPPING" && error.kind === "permanent",
      );
      equal(existsSync(asked.output), false);
    },
  },
  {
    name: "what is no PDF is refused for good, by its first bytes and not by its name",
    async run(world) {
      for (const content of ["<html>", "", "PK\u0003\u0004 and so on"]) {
        const asked = await order(world);
        await writeFile(asked.file, content);
        await rejects(world.client.convert(asked), (error) => {
          ok(error instanceof Fault && error.kind === "permanent", String(error));
          ok(["UNSUPPORTED_TYPE", "PARSE_ERROR", "VALIDATION_ERROR"].includes(error.code), error.code);
          equal(error.breaker, "success");
          return true;
        });
        equal(existsSync(asked.output), false);
      }
    },
  },
  {
    name: "a name is only a name",
    async run(world) {
      for (const name of NAMES) {
        const { bytes } = await world.client.convert(await order(world, { name }));
        ok(bytes > 0);
      }
    },
  },
  {
    name: "a PDF that is gone fails for good, and is no trouble of the gateway",
    async run(world) {
      const asked = await order(world);
      await rm(asked.file);
      await rejects(world.client.convert(asked), isFault("permanent", "SOURCE_GONE", "none"));
      equal(existsSync(asked.output), false);
    },
  },
  {
    name: "where it cannot be reached it is unavailable, and all is well afterwards",
    async run(world) {
      const asked = await order(world);
      await world.down(true);
      const isDown = isFault("unavailable", "GW_UNAVAILABLE", "failure");
      await rejects(world.client.about(), isDown);
      await rejects(world.client.convert(asked), isDown);
      equal(existsSync(asked.output), false);
      await world.down(false);
      ok((await world.client.convert(asked)).bytes > 0);
    },
  },
  {
    name: "what is given up rejects with the fault it was given, and leaves nothing",
    async run(world) {
      const asked = await order(world);
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      const isReason = (error: unknown) => error === reason;
      await rejects(world.client.convert(asked, { signal: AbortSignal.abort(reason) }), isReason);
      await rejects(world.client.about(AbortSignal.abort(reason)), isReason);
      const stop = new AbortController();
      const going = world.client.convert(asked, { signal: stop.signal });
      stop.abort(reason);
      await rejects(going, isReason);
      equal(existsSync(asked.output), false);
    },
  },
];
