// src/engine/db/schema.sql is what the migrations make of an empty database: for readers and reviewers, and never by hand.
// `UPDATE_SCHEMA=1 npx vitest run test/postgres/schema.test.ts` writes it.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSluice } from "../../src/engine/index.ts";
import { startServer } from "../support/server.ts";

const file = path.resolve(import.meta.dirname, "../../src/engine/db/schema.sql");

test("schema.sql is fresh", async () => {
  const server = await startServer();
  try {
    const sluice = await openSluice({ pipelines: [], database: server.url(), worker: false });
    await sluice.close();
    const dump = ["--schema-only", "--schema=sluice", "--no-owner", "--no-privileges", server.url()];
    const text = execFileSync("/usr/lib/postgresql/15/bin/pg_dump", dump, { encoding: "utf8" });
    const schema = tidy(text);
    if (process.env.UPDATE_SCHEMA !== undefined) writeFileSync(file, schema);
    expect(readFileSync(file, "utf8")).toBe(schema);
  } finally {
    await server.stop();
  }
});

/** Without what differs from day to day or machine to machine: versions, settings of the session, this month's partitions. */
function tidy(text: string): string {
  const statements = text
    .split("\n")
    .filter((line) => !line.startsWith("--") && !line.startsWith("\\") && line.trim() !== "")
    .join("\n")
    .split(/;\n/)
    .filter((statement) => !/^(SET|SELECT pg_catalog)/.test(statement) && !/journal_\d{4}w\d\d/.test(statement));
  return `${statements
    .map((statement) => statement.trim())
    .filter(Boolean)
    .join(";\n\n")};\n`;
}
