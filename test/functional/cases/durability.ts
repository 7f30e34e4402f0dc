// A server that may forget acknowledged work is refused, unless one asks for it.

import { describe, expect, test } from "vitest";
import { type OpenOptions, openSluice } from "../../../src/engine/index.ts";
import type { ServerWorld } from "../world.ts";

export function describeDurability(world: ServerWorld): void {
  describe("a server that is not durable", () => {
    const open = async (address: Pick<OpenOptions, "database">, allowDataLoss: boolean) => {
      const sluice = await openSluice({ pipelines: [], worker: false, allowDataLoss, ...address });
      await sluice.close();
    };

    test("synchronous_commit = off", async () => {
      const address = await world.freshDatabase("empty");
      const name = new URL(address.database as string).pathname.slice(1);
      await world.rows(`alter database ${name} set synchronous_commit = off`);
      const error = await open(address, false).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "NOT_DURABLE" });
      expect(String(error)).toContain("synchronous_commit = off");
      await open(address, true);
    });

    test("fsync = off", async () => {
      const address = await world.freshDatabase("empty");
      await world.rows("alter system set fsync = off");
      await world.rows("select pg_reload_conf()");
      const fsync = async () => (await world.rows<{ fsync: string }>("show fsync"))[0]?.fsync;
      await world.until(async () => (await fsync()) === "off");
      await expect(open(address, false)).rejects.toMatchObject({ code: "NOT_DURABLE" });
      await open(address, true);
      await world.rows("alter system reset fsync");
      await world.rows("select pg_reload_conf()");
      await world.until(async () => (await fsync()) === "on");
    });
  });
}
