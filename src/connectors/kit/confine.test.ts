import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { startProcess } from "./child-process.ts";
import { confine } from "./confine.ts";

it("what is confined reaches nobody, not even on this machine, where the system can see to it", async () => {
  const { prefix, hasNoNetwork } = await confine([process.execPath, "--version"]);
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const call = `require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(3))`;
  const [program = "", ...args] = [...prefix, process.execPath, "-e", call];
  const { code } = await (await startProcess({ program, args, wallMs: 15_000 })).ended;
  server.close();
  expect(code).toBe(hasNoNetwork ? 3 : 0);
});
