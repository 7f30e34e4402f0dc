// A world in which every route has something to answer with: items in every state, a service that is down, an open alert with
// its messages; and what makes more of each, so that no example stands in another's way.

import { tmpdir } from "node:os";
import { z } from "zod";
import { encodingProfile, type GatewayTrouble } from "../../src/connectors/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import {
  ask,
  definePipeline,
  done,
  finder,
  permanent,
  schedule,
  service,
  transient,
  unavailable,
  wait,
} from "../../src/engine/index.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type AppWorld, type Asked, openAppWorld, PASSWORD, type Person } from "./app-world.ts";
import { boardOn } from "./boards.ts";
import { uploadExample } from "./document-examples.ts";
import { films as downloads } from "./downloads.ts";
import { ENCODER_WORD } from "./encoder-word.ts";
import { pretendDocuments } from "./pretend-documents.ts";
import { idleClient, pretendMedia } from "./pretend-media.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const song = z.object({ title: z.string() });
const songs = definePipeline("songs", { version: 1, input: song })
  .stage("find", { run: () => done({ found: 1 }) })
  .stage("fetch", {
    attempts: 3,
    run: async ({ input, checkpoint, log }) => {
      log.info("fetching", { title: input.title });
      if (input.title === "gone") throw permanent("GONE", "it is gone");
      if (input.title === "late") return wait("not_available", { again: "6h" });
      if (input.title === "which") return ask("Which one?", { options: ["a", "b"] });
      if (input.title === "fine") return done();
      await checkpoint.save({ at: 7 });
      throw transient("GW_TIMEOUT", "no answer");
    },
  });
const copies = definePipeline("copies", { version: 1, input: song }).stage("deliver", {
  parts: () => ["nas", "full"],
  attempts: 1,
  run: ({ part }) => {
    if (part === "full") throw permanent("DISK_FULL", "no room");
    return done();
  },
});
/** Its first visit ends when it is taken back. */
const visited = Promise.withResolvers<void>();
let visits = 0;
const slow = definePipeline("slow", { version: 1, input: song }).stage("dig", {
  run: async ({ signal }) => {
    visits += 1;
    if (visits > 1) return done();
    visited.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return done();
  },
});
const orders = definePipeline("orders", { version: 1, input: song }).stage("buy", {
  uses: service("shop", { breaker: { failures: 1, items: 1 } }),
  run: () => {
    throw unavailable("CLOSED", "closed");
  },
});
interface Catalogue {
  ping(): Promise<unknown>;
}
const shelf = definePipeline("shelf", { version: 1, input: song }).stage("put", {
  uses: service<Catalogue>("catalogue", { probe: (client) => client.ping() }),
  run: () => done(),
});
const PIPELINES = { songs, copies, slow, orders, shelf, films: downloads() };

const seek = finder("seek", {
  every: "1h",
  pipeline: songs,
  find: async () => ({ found: [{ key: "k1", input: { title: "fine" } }], after: { page: 2 } }),
});
const nightly = schedule("nightly", { cron: "0 3 * * *", pipeline: songs, inputs: async () => [{ title: "fine" }] });

const AGE = {
  name: "test-age",
  text: "update sluice.run set ready_at = ready_at - interval '1 day' where ready_at > sluice.now()",
};

/** One that stopped in order, and one that died: beside the one that lives. */
const GONE = {
  name: "test-gone-workers",
  text: `
insert into sluice.worker (name, host, pid, pid_started, epoch, state, started_at, ended_at, cleared_at)
select 'gone' || n, 'here', n, 'then', 1000 + n, n, sluice.now(), sluice.now(), sluice.now() from generate_series(1, 2) n`,
};

export interface ExampleWorld extends AppWorld {
  readonly hook: Receiver;
  /** Hands in one of mia's, and lets happen what can. */
  hand(pipeline: keyof typeof PIPELINES, title: string): Promise<{ readonly item: string; readonly request: string }>;
  /** As the admin where nobody else is named; has to succeed. */
  does(at: string, body?: unknown, asked?: Asked): Promise<Awaited<ReturnType<AppWorld["ask"]>>["json"]>;
  /** What is to be due later has been due for hours, and nobody was told. */
  age(): Promise<void>;
  channel(): Promise<string>;
  account(): Promise<string>;
  /** Sets another one, where the receiver is; answers with its name. */
  mediaSet(what: "indexers" | "clients" | "profiles" | "encodings" | "servers"): Promise<string>;
  /** One that said goodbye, or is there. */
  encoder(isThere?: boolean): Promise<string>;
  /** Puts an encode of it on the board. */
  encode(item: string): Promise<void>;
  /** Asks for one of the pretended films as mia, and lets happen what can. */
  film(tmdb: number): Promise<{ readonly item: string; readonly request: string }>;
  /** Uploads a document as mia, and lets happen what can: it is converted, unless the gateway is to do this. */
  document(trouble?: GatewayTrouble): Promise<string>;
  /** The token of a further session. */
  signIn(name: Person): Promise<string>;
}

export async function openExampleWorld(): Promise<ExampleWorld> {
  const hook = await startReceiver();
  const catalogue: Catalogue = { ping: () => fetch(hook.url, { method: "POST", body: "{}" }) };
  const documents = pretendDocuments();
  const world = await openAppWorld(Object.values(PIPELINES), {
    services: { shop: () => ({}), catalogue, torrents: aloneAndFamily() },
    finders: [seek],
    schedules: [nightly],
    media: pretendMedia(),
    documents,
  });
  const { t, access } = world;
  let made = 0;
  const another = (word: string) => {
    made += 1;
    return `${word}${made}`;
  };
  const does: ExampleWorld["does"] = async (at, body, asked = {}) => {
    const method = body === undefined ? "GET" : "POST";
    const { status, json, text } = await world.ask(`/api/v1${at}`, { method, as: "ann", body, ...asked });
    if (status >= 300) throw new Error(`${at} answered ${status}: ${text}`);
    return json;
  };
  const examples: ExampleWorld = {
    ...world,
    hook,
    does,
    async hand(pipeline, title) {
      const { items, request } = await t.submit(PIPELINES[pipeline], [{ title }], { owner: "mia" });
      await (pipeline === "slow" ? visited.promise : t.drain());
      return { item: items[0] ?? "", request };
    },
    age: async () => void (await t.db.query(AGE, [])),
    channel: async () =>
      (await does("/channels", { name: another("hook"), type: "webhook", url: `${hook.url}/x` })).id as string,
    async mediaSet(what) {
      const name = another("media");
      const body = {
        ...{ indexers: { url: hook.url }, clients: { kind: "qbittorrent", url: hook.url }, profiles: {} },
        encodings: { codec: "av1" },
        servers: {
          ...{ kind: "folder", root: tmpdir(), films: "", series: "" },
          mediaServer: { kind: "jellyfin", url: hook.url, key: "k3y", root: "/media" },
        },
      }[what];
      await does(`/media/${what}/${name}`, body, { method: "PUT" });
      return name;
    },
    async encoder(isThere = false) {
      const name = another("encoder");
      await does(`/media/encoders/${name}/say`, ENCODER_WORD);
      if (!isThere) await does(`/media/encoders/${name}/say`, { ...ENCODER_WORD, isFirst: false, isLast: true });
      return name;
    },
    async encode(item) {
      const profile = encodingProfile.parse({ name: "small", codec: "hevc" });
      const outcome = { kind: "same", reason: "it is HEVC already" } as const;
      await boardOn(async () => t.db).put({
        ...{ key: another("encode"), item: item as ItemId, profile, source: "/film.mkv", sourceBytes: 1, outcome },
      });
    },
    async film(tmdb) {
      const { request } = await does("/media/requests", { kind: "film", tmdb }, { as: "mia" });
      await t.drain();
      const { items } = await does(`/media/requests/${request}`);
      return { item: items[0].item, request };
    },
    async document(trouble) {
      if (trouble !== undefined) documents.gateway.trouble("convert", trouble);
      return await uploadExample({ does, t });
    },
    async account() {
      const name = another("new");
      await access.addAccount("ann", { name, role: "viewer", password: PASSWORD }, "here");
      return name;
    },
    signIn: (name) => access.logIn(name, PASSWORD, "here"),
  };
  await begin(examples);
  return examples;
}

/** A service, and a family of the same name, which clients are made for. */
function aloneAndFamily() {
  const alone = scripted();
  return Object.assign(() => idleClient(), {
    start: alone.start.bind(alone),
    adopt: alone.adopt.bind(alone),
    look: alone.look.bind(alone),
    cancel: alone.cancel.bind(alone),
    list: alone.list.bind(alone),
  });
}

async function begin({ t, ports, does, hand, channel }: ExampleWorld): Promise<void> {
  await channel();
  await t.db.query(GONE, []);
  await hand("orders", "one");
  // Long enough for the service that is down to be told of.
  for (let minutes = 0; minutes < 8; minutes += 1) {
    await t.advance("1m");
    await ports.alerts.round();
  }
  await ports.alerts.deliver();
  for (const title of ["fine", "gone", "late", "which", "slow"]) await hand("songs", title);
  await hand("copies", "both");
  await hand("films", "Alien");
  await does("/switches", { pipeline: "shelf", stage: "put", on: false, note: "full" }, { method: "PUT" });
}
