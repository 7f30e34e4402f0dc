import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { manualClock, silentLogger } from "../kit/index.ts";
import { resolve } from "./config/resolve.ts";
import { torrentsArgs } from "./embedded-client.ts";
import { gatewayArgs } from "./embedded-gateway.ts";
import { keepRunning } from "./keeper.ts";

class Pretended extends EventEmitter {
  readonly pid = 1;
  readonly exitCode = null;
  readonly signalCode = null;
  readonly signals: unknown[] = [];

  kill(signal?: NodeJS.Signals | number): boolean {
    this.signals.push(signal);
    return true;
  }
}

function world() {
  const clock = manualClock();
  const lives: Pretended[] = [];
  const keeper = keepRunning({
    name: "torrents",
    start() {
      const life = new Pretended();
      lives.push(life);
      return life as never; // as much of a process as is used
    },
    clock,
    log: silentLogger,
  });
  return { clock, lives, keeper };
}

it("what dies is started again, after pauses that grow while it cannot live, and from the first again when it did", async () => {
  const { clock, lives, keeper } = world();
  for (const pause of [1_000, 2_000, 4_000]) {
    lives.at(-1)?.emit("exit", 1, null);
    const before = lives.length;
    await clock.advance(pause - 1);
    expect(lives).toHaveLength(before);
    await clock.advance(1);
    expect(lives).toHaveLength(before + 1);
  }
  await clock.advance(60_000);
  lives.at(-1)?.emit("exit", null, "SIGKILL");
  await clock.advance(1_000);
  expect(lives).toHaveLength(5);
  const stopped = keeper.stop();
  lives.at(-1)?.emit("exit", 0, null);
  await stopped;
});

it("ended with us it is asked first, and made to when it does not", async () => {
  const { clock, lives, keeper } = world();
  const stopped = keeper.stop();
  expect(lives[0]?.signals).toEqual(["SIGTERM"]);
  await clock.advance(10_000);
  expect(lives[0]?.signals).toEqual(["SIGTERM", "SIGKILL"]);
  lives[0]?.emit("exit", null, "SIGKILL");
  await stopped;
  expect(lives).toHaveLength(1);
});

it("could not be started: is tried again as well", async () => {
  const { clock, lives, keeper } = world();
  lives[0]?.emit("error", new Error("spawn EAGAIN"));
  await clock.advance(1_000);
  expect(lives).toHaveLength(2);
  const stopped = keeper.stop();
  lives[1]?.emit("exit", 0, null);
  await stopped;
});

it("unless it is said otherwise peers may reach it, and it calls no neighbours", () => {
  const { config } = resolve([]);
  const args = torrentsArgs(config, "/srv/downloads").join(" ");
  expect(args).toContain("torrents --folder /srv/downloads --port 0 --public --peer-host 0.0.0.0 --peer-port 7472");
  expect(args).not.toContain("--lan");
  expect(torrentsArgs({ ...config, "media.lan": true }, "/d")).toContain("--lan");
});

it("a gateway is on this machine alone, at any port, and takes what it is told besides", () => {
  const args = gatewayArgs({ folder: "/srv/gateway", logLevel: "warn", flags: ["--at-once", "4"] });
  expect(args.join(" ")).toBe("gateway --folder /srv/gateway --host 127.0.0.1 --port 0 --log-level warn --at-once 4");
});
