// The distribution's sshd on the loopback, with keys of its own and for SFTP alone. It runs without privileges: started by root it runs
// as another user, so that what is denied there is denied.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../processes/free-port.ts";
import { Ring } from "../processes/ring.ts";
import { keptKey, newKey, publicOf } from "./ssh-keys.ts";

export const SSHD = "/usr/sbin/sshd";
const START_MS = 15_000;
/** On every Debian, and may log in; `nobody` may not. */
const OTHER_USER = { username: "daemon", uid: 1, gid: 1 };

export class SshdProcess {
  readonly username: string;
  /** What is sent to it lies below here. */
  readonly root: string;
  readonly log = new Ring();
  /** The key that it lets in, in the form of OpenSSH. */
  readonly privateKey: string;
  readonly #authorized: string;
  readonly #folder: string;
  readonly #owner: { readonly uid: number; readonly gid: number } | undefined;
  #child: ChildProcess | undefined;
  #port = 0;

  /** The folder stays, with the key that is let in, and has to let others pass through. */
  constructor(folder: string) {
    const isRoot = userInfo().uid === 0;
    this.#folder = folder;
    this.#owner = isRoot ? OTHER_USER : undefined;
    this.username = isRoot ? OTHER_USER.username : userInfo().username;
    this.root = join(folder, "files");
    mkdirSync(folder, { recursive: true });
    this.privateKey = keptKey(this.#path("client_key"));
    this.#authorized = publicOf(this.privateKey);
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it greets. After an end it is the same server again. */
  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    if (this.#port === 0) await this.#settle();
    const { username, gid } = OTHER_USER;
    const drop =
      this.#owner === undefined ? [] : [`--reuid=${username}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs"];
    // Whatever becomes of this process, it ends with it.
    const command = [...drop, "--pdeathsig", "KILL", SSHD, "-D", "-e", "-f", this.#path("sshd_config")];
    const child = spawn("setpriv", command, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => this.log.add(text));
    child.once("error", (error) => this.#ended(child, `${error.message}\n`));
    child.once("exit", () => this.#ended(child, "it ended\n"));
    await this.#greets();
  }

  /** Connections that are open have processes of their own, and stay. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** As after a new installation of the machine. Counts from the next start. */
  changeHostKey(hostKey = newKey()): void {
    this.#write("host_key", hostKey);
  }

  #ended(child: ChildProcess, words: string): void {
    this.log.add(words);
    if (this.#child === child) this.#child = undefined;
  }

  async #greets(): Promise<void> {
    const late = AbortSignal.timeout(START_MS);
    while (this.#child !== undefined && !late.aborted) {
      const socket = connect({ port: this.#port, host: "127.0.0.1" });
      const heard = await once(socket, "data", { signal: late }).catch(() => undefined);
      socket.destroy();
      if (heard !== undefined) return;
      await sleep(20);
    }
    await this.stop();
    throw new Error(`sshd does not answer: ${this.log.lines().slice(-12).join("\n")}`);
  }

  async #settle(): Promise<void> {
    this.#port = await freePort();
    mkdirSync(this.root, { recursive: true });
    this.#give(this.root, 0o755);
    if (!existsSync(this.#path("host_key"))) this.changeHostKey();
    this.#write("authorized_keys", `${this.#authorized}\n`);
    const settings = {
      Port: String(this.#port),
      ListenAddress: "127.0.0.1",
      HostKey: this.#path("host_key"),
      PidFile: "none",
      AuthorizedKeysFile: this.#path("authorized_keys"),
      AuthenticationMethods: "publickey",
      UsePAM: "no",
      StrictModes: "no",
      MaxStartups: "100",
      DisableForwarding: "yes",
      PermitTTY: "no",
      Subsystem: "sftp internal-sftp",
      ForceCommand: "internal-sftp",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
    this.#write("sshd_config", lines.join(""));
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #write(name: string, text: string): void {
    writeFileSync(this.#path(name), text);
    this.#give(this.#path(name), 0o600);
  }

  #give(path: string, mode: number): void {
    chmodSync(path, mode);
    if (this.#owner !== undefined) chownSync(path, this.#owner.uid, this.#owner.gid);
  }
}
