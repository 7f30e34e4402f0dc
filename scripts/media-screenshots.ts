// The pictures of media in docs/dashboard.md: some of what was asked for is there, some on its way, and one server lets nobody write.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { startMediaWorld } from "../sandbox/media/world.ts";
import { temporaryFolder } from "../sandbox/temporary-folder.ts";
import type { EncoderView, MediaCard } from "../src/server/contract/wire.ts";

export interface Camera {
  readonly admin: { readonly name: string; readonly password: string };
  readonly dashboard: string;
  readonly context: (url: string, width: number, colorScheme: "light" | "dark") => Promise<BrowserContext>;
  readonly picture: (where: BrowserContext, address: string, name: string, height?: number) => Promise<void>;
}

const SERIES = { kind: "series", tmdb: 800_001, seasons: [1] };
const FILMS = [900_001, 900_002, 900_003].map((tmdb) => ({ kind: "film", tmdb }));
const LATER = [900_004, 900_005].map((tmdb) => ({ kind: "film", tmdb }));

export async function mediaPictures({ admin, dashboard, context, picture }: Camera): Promise<void> {
  const folder = temporaryFolder("sluice-media-screenshots");
  const log = { info() {}, warn() {}, error() {} };
  const world = await startMediaWorld({
    ...{ folder, port: 0, admin, version: "demo", log, dashboard },
    pace: { releaseSeconds: 20, encodeSpeed: 1 },
  });
  try {
    const desk = await context(world.url, 1280, "light");
    const phone = await context(world.url, 360, "dark");
    const { request } = desk;
    const ask = async (data: object) =>
      await request.post(`${world.url}/api/v1/media/requests`, { data, headers: { origin: world.url } });
    const cards = async (): Promise<MediaCard[]> =>
      (await (await request.get(`${world.url}/api/v1/media/requests`)).json()).entries;
    await world.things.break("vault", "denied");
    for (const one of FILMS) await ask(one);
    await until(async () => await isAnyEncoding(desk, world.url));
    await picture(desk, `${world.url}/settings?tab=delivery`, "media-delivery", 1_040);
    await until(async () => (await cards()).every(({ status }) => status === "COMPLETED" || status === "PARTIAL"));
    const [partly] = await cards();
    await picture(desk, `${world.url}/media/requests/${partly?.request}`, "media-targets", 860);
    await world.things.mend("vault", "denied");
    for (const one of [...LATER, SERIES]) await ask(one);
    await until(async () => (await cards()).filter(({ progress }) => progress > 15 && progress < 90).length > 2);
    await picture(desk, `${world.url}/media`, "media", 640);
    await picture(phone, `${world.url}/media`, "media-phone");
    const series = (await cards()).find(({ kind }) => kind === "series");
    const opened = `${world.url}/media/requests/${series?.request}?item=${series?.items[2]?.item}`;
    await picture(desk, opened, "media-request", 960);
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isAnyEncoding({ request }: BrowserContext, url: string): Promise<boolean> {
  const { entries }: { entries: EncoderView[] } = await (await request.get(`${url}/api/v1/media/encoders`)).json();
  return entries.some(({ jobs }) => jobs.some(({ progress }) => (progress ?? 0) > 30));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 240; looks += 1) {
    if (await isSo()) return;
    await sleep(500);
  }
  throw new Error("the media world did not come as far as the pictures want it");
}
