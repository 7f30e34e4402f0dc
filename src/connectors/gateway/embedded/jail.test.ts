import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startProcess } from "../../kit/index.ts";
import { findJail, isRoot, type Jail } from "./jail.ts";

let home: string;
let jail: Jail;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "sluice-jail-"));
  chmodSync(home, 0o755);
  mkdirSync(join(home, "jail"));
  jail = await findJail(join(home, "jail"), { before: [], command: ["true"] });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function said(...command: readonly string[]): Promise<string> {
  const [program = "", ...args] = [...jail.prefix, ...command];
  const { output, complaints } = await (await startProcess({ program, args, wallMs: 60_000, cwd: home })).ended;
  return `${output}${complaints}`;
}

it("what is in it sees no file of this machine but the system's, and writes none, where it is said to hide files", async () => {
  const [secret, left] = [join(home, "secret"), join(home, "left")];
  // Everybody on this machine may read it.
  writeFileSync(secret, "nobody's business", { mode: 0o644 });
  const heard = await said("sh", "-c", `cat ${secret}; ls /; ls /proc/self; id -u; echo x > ${left}; echo x > /left`);
  expect(heard.includes("nobody's business")).toBe(!jail.hidesFiles);
  expect(/^usr$/m.test(heard)).toBe(true);
  expect(/^(home|root|proc|dev)$/m.test(heard)).toBe(!jail.hidesFiles);
  if (jail.hidesFiles) expect(existsSync(left)).toBe(false);
  if (isRoot()) expect(heard).toMatch(/^65534$/m);
});

it("what is in it gets no more rights than it has", async () => {
  expect(await said("setpriv", "--dump")).toMatch(/no_new_privs: 1/);
  if (jail.hidesFiles) expect(await said("setpriv", "--dump")).toMatch(/bounding set: \[none\]/i);
});

it("nothing of it is left", async () => {
  await said("true");
  expect(await said("true")).toBe("");
  rmSync(join(home, "jail"), { recursive: true });
  expect(existsSync(join(home, "jail"))).toBe(false);
});
