// The server's application on an engine in this process, with an account of every role, asked without a socket. Whatever is asked,
// the answer is held against the contract.

import { prepareDocumentTables } from "../../src/apps/documents/index.ts";
import { type MediaApp, mediaApp, prepareMediaTables } from "../../src/apps/media/index.ts";
import type { AnyPipeline, Logger, Tables } from "../../src/engine/index.ts";
import { type TestSluice, type TestSluiceOptions, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { systemClock } from "../../src/kit/index.ts";
import { Access } from "../../src/server/access/access.ts";
import type { Role } from "../../src/server/access/principal.ts";
import { Alerts } from "../../src/server/alerts/alerts.ts";
import { type App, type AppPorts, makeApp } from "../../src/server/app.ts";
import { Metrics } from "../../src/server/metrics/metrics.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { Secrets } from "../../src/server/secrets/secrets.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { type Contract, contractOf } from "./contract.ts";
import type { PretendDocuments } from "./pretend-documents.ts";
import type { PretendMedia } from "./pretend-media.ts";
import { pretendSandbox } from "./pretend-sandbox.ts";

export const PASSWORD = "correct horse battery";
const COOKIE = "sluice_test";

/** Two members, so that there is something of another's. */
const ACCOUNTS = { ann: "admin", mia: "member", mo: "member", vic: "viewer" } as const;
export type Person = keyof typeof ACCOUNTS;
const OF_ROLE: { readonly [Name in Role]: Person } = { admin: "ann", member: "mia", viewer: "vic" };

export interface Asked {
  readonly method?: string;
  readonly as?: Role | Person | undefined;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; a form as a form. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed, where it is JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface AppWorld {
  readonly t: TestSluice;
  readonly access: Access;
  readonly ports: AppPorts;
  readonly server: App;
  /** What the server wrote to its log, a line each. */
  readonly logged: readonly string[];
  ask(path: string, asked?: Asked): Promise<Answered>;
  cookieOf(as: Role | Person): string;
  close(): Promise<void>;
}

export interface AppWorldOptions extends Omit<TestSluiceOptions, "pipelines"> {
  /** Films and series are worked on, too, with these services. */
  readonly media?: PretendMedia;
  /** Documents are converted, too, by this gateway. */
  readonly documents?: PretendDocuments;
}

export async function openAppWorld(
  pipelines: readonly AnyPipeline[],
  { media: pretended, documents: converting, ...options }: AppWorldOptions = {},
): Promise<AppWorld> {
  const opened = Promise.withResolvers<Tables>();
  const keyring = readKeys(newKeyText());
  const media = mediaFor(opened.promise, keyring, pretended);
  const documents = converting?.app(() => opened.promise);
  const t = await testSluice({
    ...options,
    pipelines: [...pipelines, ...(pretended === undefined ? [] : media.pipelines), ...(documents?.pipelines ?? [])],
    services: { ...options.services, ...servicesOf(pretended), ...documents?.services },
    schedules: [...(options.schedules ?? []), ...(documents?.schedules ?? [])],
  });
  const { sluice } = t;
  opened.resolve(sluice.tables);
  await prepareServerTables(sluice.tables);
  await prepareMediaTables(sluice.tables);
  await prepareDocumentTables(sluice.tables);
  const access = new Access({ tables: sluice.tables, now: () => 0 });
  const logged: string[] = [];
  const note = (event: string, facts?: unknown) => void logged.push(`${event} ${JSON.stringify(facts)}`);
  const log: Logger = { info: note, warn: note, error: note };
  const hosts = new Set(["sluice.example.org"]);
  const metrics = new Metrics({ sluice, log, clock: systemClock, now: () => t.now().getTime(), version: "0.0.0" });
  await metrics.start();
  const alerts = new Alerts({ sluice, log, clock: systemClock, wallMs: Date.now, holder: "test", keyring });
  const sandbox = pretendSandbox(sluice);
  const ports: AppPorts = {
    ...{ sluice, access, alerts, log, metrics, hosts, cookie: COOKIE, version: "0.0.0", sandbox, media, documents },
  };
  const server = makeApp(ports);
  const contract = contractOf(server.app);
  const cookies = new Map<string, string>();
  const cookieOf = (as: Role | Person) => cookies.get(as in OF_ROLE ? OF_ROLE[as as Role] : as) ?? "";
  const ask = (path: string, asked: Asked = {}) => request(server, contract, path, asked, cookieOf);
  const first = { token: await access.offerSetup(), name: "ann", password: PASSWORD };
  const { headers } = await ask("/api/v1/setup", { method: "POST", body: first });
  cookies.set("ann", headers.get("set-cookie")?.split(";")[0] ?? "");
  for (const [name, role] of Object.entries(ACCOUNTS)) {
    if (name === "ann") continue;
    await access.addAccount("ann", { name, role, password: PASSWORD }, "here");
    cookies.set(name, `${COOKIE}=${await access.logIn(name, PASSWORD, "here")}`);
  }
  const close = async () => {
    await metrics.stop();
    await t.close();
    converting?.close();
  };
  return { t, access, ports, server, logged, ask, cookieOf, close };
}

/** Its tables are there when the engine is open. */
function mediaFor(opened: Promise<Tables>, keyring: ReturnType<typeof readKeys>, pretended?: PretendMedia): MediaApp {
  const later: Tables = {
    query: async (...given) => (await opened).query(...given),
    transaction: async (...given) => (await opened).transaction(...given),
  };
  const app = mediaApp({ tables: () => opened, secrets: new Secrets(later, keyring) });
  if (pretended === undefined) return app;
  return { ...app, services: { ...app.services, metadata: pretended.metadata.metadata } };
}

function servicesOf(pretended: PretendMedia | undefined) {
  if (pretended === undefined) return {};
  return { metadata: pretended.metadata.metadata, indexer: () => pretended.indexer.indexer };
}

async function request(
  server: App,
  contract: Contract,
  path: string,
  { method = "GET", as, headers = {}, body }: Asked,
  cookieOf: (as: Role | Person) => string,
): Promise<Answered> {
  const answer = await server.app.request(path, {
    method,
    headers: {
      host: "localhost:3000",
      ...(method === "GET" ? {} : { origin: "http://localhost:3000" }),
      ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      ...(as === undefined ? {} : { cookie: cookieOf(as) }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get("content-type") ?? "");
  const { status, headers: told } = answer;
  const answered = { status, headers: told, text, json: isJson && text !== "" ? JSON.parse(text) : undefined };
  contract.check(method, path, answered);
  return answered;
}
