// A small world for tests of the dashboard: a server with its pages, and a pipeline that fails when it is told to.

import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import {
  type AnyPipeline,
  ask,
  definePipeline,
  done,
  openSluice,
  permanent,
  type Sluice,
} from "../../src/engine/index.ts";
import { openDoor } from "../../src/server/door.ts";
import { type ServeOptions, serveSluice } from "../../src/server/serve.ts";
import { startServer } from "../support/server.ts";
import type { Person } from "./browser.ts";

const DASHBOARD = path.resolve(import.meta.dirname, "../../dist/dashboard");

let isBroken = false;

/** From now on packing fails, or does not. */
export const breakPacking = (broken: boolean) => {
  isBroken = broken;
};

export const shop = definePipeline("shop", {
  version: 1,
  input: z.object({ title: z.string(), asks: z.boolean().optional() }),
  title: ({ title }) => title,
})
  .stage("pick", {
    async run({ input, because, log }) {
      log.info("picked", { title: input.title.slice(0, 40) });
      if (input.asks === true && because.answer === undefined)
        return ask("Which box?", { options: ["small", "large"] });
      return done({ box: String(because.answer ?? "small") });
    },
  })
  .stage("pack", {
    async run() {
      if (isBroken) throw permanent("NO_TAPE", "there is no tape left");
      return done({ weight: 3 });
    },
  });

export interface Pages {
  readonly url: string;
  readonly setupUrl: string;
  /** How many listen to the live feed now. */
  streams(): number;
  close(): Promise<void>;
}

export interface Shop extends Pages {
  readonly sluice: Sluice;
}

const quiet = { info() {}, warn() {}, error() {} };

export async function openShop(pipelines: readonly AnyPipeline[] = [shop]): Promise<Shop> {
  breakPacking(false);
  const database = await startServer();
  const sluice = await openSluice({ pipelines, database: database.url(), log: quiet });
  const pages = await servePages(sluice);
  return {
    ...pages,
    sluice,
    async close() {
      await pages.close();
      await sluice.close();
      await database.stop();
    },
  };
}

export async function servePages(sluice: Sluice, more: Partial<ServeOptions> = {}): Promise<Pages> {
  if (!existsSync(path.join(DASHBOARD, "index.html")))
    throw new Error("the dashboard has to be built first: node scripts/dashboard.ts");
  const door = await openDoor({ host: "127.0.0.1", port: 0, closeMs: 1_000 });
  const streams = new Set<unknown>();
  door.server.on("request", ({ url }, response) => {
    if (url?.startsWith("/api/v1/events") !== true) return;
    streams.add(response);
    response.once("close", () => streams.delete(response));
  });
  const served = await serveSluice({
    ...{ sluice, door, host: "127.0.0.1", port: door.port, hosts: [], log: quiet, version: "0.0.0" },
    dashboard: DASHBOARD,
    ...more,
  });
  return {
    url: served.url,
    streams: () => streams.size,
    setupUrl: served.setupUrl ?? "",
    close: () => served.close(),
  };
}

/** With the link of the first start, as somebody does who needs no page for it. */
export async function makeFirstAccount({ url, setupUrl }: Pages, person: Person): Promise<void> {
  const token = setupUrl.split("#")[1];
  await fetch(`${url}/api/v1/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ ...person, token }),
  });
}
