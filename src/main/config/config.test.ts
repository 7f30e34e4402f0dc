import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NOTHING } from "../load-module.ts";
import { makeLog } from "../log.ts";
import { openOptions } from "../open-options.ts";
import { inForce, jsonSchema, settingsTable } from "./describe.ts";
import { type Environment, environmentLayer } from "./environment.ts";
import { type Layer, resolve } from "./resolve.ts";
import { PATHS, type SettingPath } from "./settings.ts";
import { yamlLayer } from "./yaml-file.ts";

const noFiles = () => {
  throw Object.assign(new Error("no such file"), { code: "ENOENT" });
};
const fromEnvironment = (environment: Environment) => resolve([environmentLayer(environment, noFiles)]);
const fromYaml = (text: string, environment: Environment = {}) =>
  resolve([yamlLayer(text, "sluice.yaml", environment)]);
const said = (settings: Partial<Record<SettingPath, string>>, from: string): Layer => ({
  said: new Map(Object.entries(settings).map(([name, text]) => [name as SettingPath, { text, from }])),
  problems: [],
});

describe("the environment", () => {
  it("may be empty: everything has a default, or none is needed", () => {
    const { config, problems } = fromEnvironment({});
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      "database.pooled": false,
      "server.host": "127.0.0.1",
      "server.port": 7470,
      "server.hosts": [],
      "worker.concurrency": 100,
      "worker.leaseTtlSec": 8,
      "worker.graceSec": 30,
      "log.level": "info",
    });
    expect(config["database.url"]).toBeUndefined();
  });

  it("is read by name and unit", () => {
    const { config } = fromEnvironment({
      DATABASE_URL: "postgres://db",
      DATABASE_POOLED: "true",
      WORKER_CONCURRENCY: "7",
      WORKER_STAGES: "encode, deliver",
      SERVER_PUBLIC_URL: "https://sluice.example.org/",
      RETENTION_HISTORY: "30d",
    });
    expect(config).toMatchObject({
      "database.url": "postgres://db",
      "database.pooled": true,
      "worker.concurrency": 7,
      "worker.stages": ["encode", "deliver"],
      "server.publicUrl": "https://sluice.example.org",
      "retention.history": 30 * 86_400_000,
    });
  });

  it("starts no application that there is not", () => {
    expect(fromEnvironment({ APPS: "media" }).config.apps).toEqual(["media"]);
    expect(fromEnvironment({ APPS: "media,music" }).problems).toEqual([
      'APPS must hold nothing but media, documents, got "media,music"',
    ]);
    expect(fromYaml("apps: [media, documents]\n").config.apps).toEqual(["media", "documents"]);
  });

  it("takes an empty value for an absent one", () => {
    expect(fromEnvironment({ DATABASE_URL: "", WORKER_CONCURRENCY: "" })).toEqual(fromEnvironment({}));
  });

  it("reads any of them from a file", () => {
    const layer = environmentLayer({ SERVER_ADMIN_PASSWORD_FILE: "/run/secrets/admin" }, (file) => `from ${file}\n`);
    expect(resolve([layer]).config["server.adminPassword"]).toBe("from /run/secrets/admin");
    expect(resolve([layer]).sources["server.adminPassword"]).toBe("SERVER_ADMIN_PASSWORD_FILE");
  });

  it("refuses a file that is not there, and a value that is given twice", () => {
    expect(fromEnvironment({ DATABASE_URL_FILE: "/nowhere" }).problems).toEqual([
      "DATABASE_URL_FILE names a file that cannot be read: /nowhere (ENOENT)",
    ]);
    expect(fromEnvironment({ DATABASE_URL_FILE: "/nowhere", DATABASE_URL: "x" }).problems).toEqual([
      "DATABASE_URL and DATABASE_URL_FILE are both set; keep one of them",
    ]);
  });

  it("tells all problems at once, each by its name", () => {
    const { problems } = fromEnvironment({ WORKER_CONCURRENCY: "many", WORKER_LEASE_TTL_SEC: "1", LOG_LEVEL: "loud" });
    expect(problems).toEqual([
      'WORKER_CONCURRENCY must be a whole number from 1 to 100000, got "many"',
      'WORKER_LEASE_TTL_SEC must be a whole number from 5 to 3600, got "1"',
      'LOG_LEVEL must be one of info, warn, error, silent, got "loud"',
    ]);
  });

  it.each(["0", "-1", "1.5", "1e9", "NaN", " "])("refuses %j items at a time", (value) => {
    expect(fromEnvironment({ WORKER_CONCURRENCY: value }).problems[0]).toMatch(/a whole number from 1 to 100000/);
  });

  it("guesses what a misspelt name should have been, and leaves other programs' names alone", () => {
    expect(fromEnvironment({ WORKER_CONCURENCY: "7" }).problems).toEqual([
      "WORKER_CONCURENCY is not known; did you mean WORKER_CONCURRENCY?",
    ]);
    expect(fromEnvironment({ DATABASE_PASSWORD: "x", WORKER_PROCESSES_OF_NGINX: "1", PATH: "/bin" }).problems).toEqual(
      [],
    );
  });
});

describe("sluice.yaml", () => {
  it("names settings by their place", () => {
    const { config, problems, sources } = fromYaml(
      "server:\n  port: 8080\n  hosts: [a.example.org, b.example.org]\nlog:\n  format: pretty\n",
    );
    expect(problems).toEqual([]);
    expect(config).toMatchObject({ "server.port": 8080, "server.hosts": ["a.example.org", "b.example.org"] });
    expect(sources["server.port"]).toBe("sluice.yaml:2:9");
  });

  it("tells where each problem stands", () => {
    const { problems } = fromYaml("server:\n  prot: 80\n  port: many\nworkers:\n  name: x\ndatabase: here\n");
    expect(problems).toEqual([
      "sluice.yaml:2:3 server.prot is not known; did you mean server.port?",
      "sluice.yaml:4:1 workers is not known; did you mean worker?",
      "sluice.yaml:6:1 database is a group of settings: url, pooled, connections",
      'sluice.yaml:3:9 server.port must be a whole number from 0 to 65535, got "many"',
    ]);
  });

  it("tells what is no YAML by its place, and what is no table", () => {
    expect(fromYaml("server: [").problems[0]).toMatch(/^sluice\.yaml:1:\d+ /);
    expect(fromYaml("just words").problems[0]).toMatch(/^sluice\.yaml:1:1 must be settings by name/);
    expect(fromYaml("").problems).toEqual([]);
  });

  it("takes values of the environment, which have to be there", () => {
    const word = "$" + "{WORD}";
    const text = `database:\n  url: "postgres://me:${word}@db/sluice"\n`;
    expect(fromYaml(text, { WORD: "hush" }).config["database.url"]).toBe("postgres://me:hush@db/sluice");
    expect(fromYaml(text).problems).toEqual([`sluice.yaml:2:8 database.url uses ${word}, which is not set`]);
  });
});

describe("where it comes from", () => {
  it("is the flag before the environment before the file before the database before the default", () => {
    const layers = [
      said({ "log.level": "error" }, "--log-level"),
      said({ "log.level": "warn", "server.port": "1" }, "LOG_LEVEL"),
      said({ "server.port": "2", "server.publicUrl": "http://file" }, "sluice.yaml:1:1"),
      said({ "server.publicUrl": "http://stored" }, "database"),
    ];
    const { config, sources } = resolve(layers);
    expect(config).toMatchObject({ "log.level": "error", "server.port": 1, "server.publicUrl": "http://file" });
    expect(sources).toMatchObject({ "log.level": "--log-level", "worker.concurrency": "default" });
  });

  it("looks at values too that are overridden: they come into force one day", () => {
    const layers = [said({ "server.port": "1" }, "--port"), said({ "server.port": "x" }, "SERVER_PORT")];
    expect(resolve(layers).problems).toHaveLength(1);
  });

  it("never shows a secret, also not a wrong one", () => {
    const resolved = fromEnvironment({ SERVER_ADMIN_PASSWORD: "hush hush hush", DATABASE_URL: "postgres://a:hush@b" });
    expect(JSON.stringify(inForce(resolved))).not.toContain("hush");
    expect(inForce(resolved)).toContainEqual({
      name: "server.adminPassword",
      value: "••••",
      source: "SERVER_ADMIN_PASSWORD",
    });
  });
});

it("a server has more connections than a worker, unless it is said", () => {
  const connections = (part: "up" | "server" | "worker", environment: Environment = {}) =>
    openOptions({ part, config: fromEnvironment(environment).config, loaded: NOTHING, log: makeLog({}) }).connections;
  expect([connections("up"), connections("server"), connections("worker")]).toEqual([10, 10, 5]);
  expect(connections("worker", { DATABASE_CONNECTIONS: "20" })).toBe(20);
});

describe("the table of settings", () => {
  it("is what the documentation has", () => {
    const docs = readFileSync(path.resolve(import.meta.dirname, "../../../docs/configuration.md"), "utf8");
    expect(docs).toContain(settingsTable());
  });

  it("is a schema for editors", () => {
    const { properties } = jsonSchema() as { properties: Record<string, { properties: Record<string, unknown> }> };
    expect(properties.server?.properties.port).toMatchObject({ type: "integer", minimum: 0, default: 7470 });
    const names = Object.entries(properties).flatMap(([name, group]) => Object.keys(group.properties ?? { [name]: 1 }));
    expect(names).toHaveLength(PATHS.length);
    expect(properties.apps).toMatchObject({ oneOf: [{ items: { enum: ["media", "documents"] } }, { type: "string" }] });
  });
});
