import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

describe("the environment", () => {
  it("may be empty: everything has a default", () => {
    expect(readConfig({})).toEqual({
      database: undefined,
      pooled: false,
      server: { host: "127.0.0.1", port: 7470, hosts: [] },
      worker: { name: undefined, concurrency: 100, deadAfterMs: 8_000, graceMs: 30_000 },
    });
  });

  it("is read by name and unit", () => {
    const config = readConfig({
      DATABASE_URL: "postgres://db",
      DATABASE_POOLED: "true",
      WORKER_NAME: "attic",
      WORKER_CONCURRENCY: "7",
      WORKER_LEASE_TTL_SEC: "20",
      WORKER_GRACE_SEC: "0",
      SERVER_HOST: "0.0.0.0",
      SERVER_PORT: "80",
      SERVER_HOSTS: "sluice.example.org, media.example.org",
    });
    expect(config).toEqual({
      database: "postgres://db",
      pooled: true,
      server: { host: "0.0.0.0", port: 80, hosts: ["sluice.example.org", "media.example.org"] },
      worker: { name: "attic", concurrency: 7, deadAfterMs: 20_000, graceMs: 0 },
    });
  });

  it("takes an empty value for an absent one", () => {
    expect(readConfig({ DATABASE_URL: "", WORKER_NAME: "", WORKER_CONCURRENCY: "" })).toEqual(readConfig({}));
  });

  it("gives way to what was said on the command line", () => {
    expect(readConfig({ DATABASE_URL: "postgres://env" }, "./here").database).toBe("./here");
  });

  it("tells all problems at once", () => {
    const environment = { WORKER_CONCURRENCY: "many", WORKER_LEASE_TTL_SEC: "1", DATABASE_POOLED: "yes" };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(/DATABASE_POOLED.*\n.*WORKER_CONCURRENCY.*\n.*WORKER_LEASE_TTL_SEC/);
  });

  it.each(["0", "-1", "1.5", "1e9", "NaN", " "])("refuses %j items at a time", (value) => {
    expect(() => readConfig({ WORKER_CONCURRENCY: value })).toThrow(
      /WORKER_CONCURRENCY must be a whole number from 1 to 100000/,
    );
  });

  it("guesses what a misspelt name should have been, and leaves other programs' names alone", () => {
    expect(() => readConfig({ WORKER_CONCURENCY: "7" })).toThrow(
      /WORKER_CONCURENCY is not known; did you mean WORKER_CONCURRENCY\?/,
    );
    expect(() => readConfig({ DATABASE_PASSWORD: "x", WORKER_PROCESSES_OF_NGINX: "1", PATH: "/bin" })).not.toThrow();
  });
});
