// The pictures of documents in docs/dashboard.md: of a server as `sluice up` starts it, with the gateway of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { encryptedPdf } from "../sandbox/documents/encrypted-pdf.ts";
import { makePdf } from "../sandbox/documents/pdfs.ts";
import { temporaryFolder } from "../sandbox/temporary-folder.ts";
import type { DocumentView } from "../src/server/contract/wire.ts";
import type { Camera } from "./media-screenshots.ts";

const root = join(import.meta.dirname, "..");
const NAMES = ["Lock keeper's handbook", "Water levels 2025", "Inspection of the upper gate", "Tolls and fees"];

export async function documentPictures({ admin, context, picture }: Omit<Camera, "dashboard">): Promise<void> {
  const folder = temporaryFolder("sluice-documents-screenshots");
  const server = spawn(
    process.execPath,
    ["--conditions=sluice-source", join(root, "src/main/cli.ts"), "up", "--apps", "documents", "--port", "0", "--json"],
    {
      cwd: folder,
      env: { ...process.env, SERVER_ADMIN_NAME: admin.name, SERVER_ADMIN_PASSWORD: admin.password, LOG_LEVEL: "error" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const url = await addressOf(server);
    const desk = await context(url, 1280, "light");
    const phone = await context(url, 360, "dark");
    const first = await furnish(desk, url);
    await picture(desk, `${url}/documents`, "documents", 760);
    await picture(desk, `${url}/documents/${first}`, "document", 960);
    await picture(phone, `${url}/documents/${first}`, "document-phone");
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /"url":"(http[^"]+)"/.exec(line)?.[1];
    if (url !== undefined) return new URL(url).origin;
  }
  throw new Error("the server ended before it told its address");
}

/** Some that are converted, and one that nobody can open. */
async function furnish({ request }: BrowserContext, url: string): Promise<string> {
  const headers = { origin: url };
  const send = async (name: string, buffer: Buffer) => {
    const multipart = { file: { name, mimeType: "application/pdf", buffer } };
    await request.post(`${url}/api/v1/documents`, { multipart, headers });
  };
  const documents = async (): Promise<DocumentView[]> =>
    (await (await request.get(`${url}/api/v1/documents`)).json()).entries;
  // What is sent before the gateway is there waits for minutes.
  await until(async () => {
    const tested = await request.post(`${url}/api/v1/services/gateway/test`, { headers });
    return (await tested.json()).ok === true;
  });
  await send("Minutes, confidential.pdf", encryptedPdf("a secret"));
  for (const [index, name] of NAMES.entries()) await send(`${name}.pdf`, paper(name, index + 2));
  await until(async () => (await documents()).every(({ finishedAt }) => finishedAt !== null));
  return (await documents()).find(({ name }) => name.startsWith(NAMES[0] ?? ""))?.id ?? "";
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 240; looks += 1) {
    if (await isSo()) return;
    await sleep(500);
  }
  throw new Error("the documents did not come as far as the pictures want them");
}

function paper(title: string, pages: number): Buffer {
  return makePdf({
    info: { Title: title, Author: "The canal company" },
    outline: Array.from({ length: pages }, (_, page) => `Part ${page + 1}`),
    pages: Array.from({ length: pages }, (_, page) => [
      { text: title, x: 72, y: 770, size: 20, font: "Times-Bold" },
      { text: `Part ${page + 1}`, x: 72, y: 730, size: 14 },
      { text: "Who opens a gate closes it again, and notes both.", x: 72, y: 700, size: 11 },
      { text: "The level is read at six, at noon and at six.", x: 72, y: 684, size: 11 },
    ]),
  });
}
