import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ServiceLine } from "./service-line.ts";

let service: Server;
let line: ServiceLine;
let arrived: EventTarget;
const heard: string[] = [];

beforeEach(async () => {
  heard.length = 0;
  arrived = new EventTarget();
  service = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      heard.push(bytes.toString());
      socket.write(`you said ${bytes}`);
      arrived.dispatchEvent(new Event("arrived"));
    });
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  line = await ServiceLine.start((service.address() as AddressInfo).port); // on a port, not on a pipe
});
afterEach(() => {
  line.close();
  service.close();
});

async function dial(): Promise<Socket> {
  const socket = connect({ port: line.port, host: "127.0.0.1" });
  await once(socket, "connect");
  return socket;
}

async function say(text: string): Promise<string> {
  const socket = await dial();
  socket.write(text);
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer);
}

describe("the line to the job service", () => {
  it("carries what is said and what is answered", async () => {
    expect(await say("hello")).toBe("you said hello");
  });

  it("refuses whoever calls while the service is down, and is on the same port again afterwards", async () => {
    line.close();
    await expect(dial()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await line.open();
    expect(await say("back")).toBe("you said back");
  });

  it("resets everybody while it is cut", async () => {
    const isHealed = line.cut("cut", 100);
    const socket = connect({ port: line.port, host: "127.0.0.1" });
    socket.write("anyone?");
    await expect(once(socket, "data")).rejects.toMatchObject({ code: "ECONNRESET" });
    await isHealed;
    expect(heard).toEqual([]);
    expect(await say("back")).toBe("you said back");
  });

  it("delivers late what somebody said who is no longer there", async () => {
    const isHealed = line.cut("late", 200);
    const socket = await dial();
    socket.end("start it");
    await once(socket, "close");
    expect(heard).toEqual([]);
    const delivery = once(arrived, "arrived");
    await isHealed;
    await delivery;
    expect(heard).toEqual(["start it"]);
  });

  it("delivers at once and never answers while it is mute", async () => {
    const delivery = once(arrived, "arrived");
    const isHealed = line.cut("mute", 200);
    const socket = await dial();
    const answers: unknown[] = [];
    socket.on("data", (bytes) => answers.push(bytes));
    const end = expect(once(socket, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
    socket.write("start it");
    await delivery;
    await isHealed;
    await end;
    expect([heard, answers]).toEqual([["start it"], []]);
  });
});
