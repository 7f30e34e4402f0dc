import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { dial, dialHost } from "./dial.ts";
import { EgressError } from "./egress.ts";

test("an address that passed the lookup and is refused once connected gets not a byte", async () => {
  let bytes = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      bytes += chunk.byteLength;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // on a port, not on a pipe
  let asked = 0;
  const socket = dial(new URL(`http://nas.example:${port}/`), {
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    refusal: () => (++asked === 1 ? undefined : "changed its mind"),
  });
  socket.write("secret");
  const [error] = await once(socket, "error");
  expect(error).toBeInstanceOf(EgressError);
  const closed = once(server, "close");
  server.close();
  await closed;
  expect(bytes).toBe(0);
});

test("a connection that is gone before its address was judged is a lost connection, not a refused address", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // on a port, not on a pipe
  const socket = dial(new URL(`http://127.0.0.1:${port}/`), { resolve: async () => [], refusal: () => undefined });
  // As Node has it when the other side resets in the moment of connecting.
  Object.defineProperty(socket, "remoteAddress", { get: () => undefined });
  const [error] = await once(socket, "error");
  expect(error).toMatchObject({ code: "ECONNRESET" });
  const closed = once(server, "close");
  server.close();
  await closed;
});

test("a service that does not speak HTTP is dialled by host and port, and judged in the same way", async () => {
  const server = createServer((socket) => socket.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // on a port, not on a pipe
  const [heard] = await once(dialHost("127.0.0.1", port, "lan"), "data");
  expect(String(heard)).toBe("hello");
  expect(() => dialHost("127.0.0.1", port, "public")).toThrow(EgressError);
  expect(() => dialHost("fe80::1", port, "lan")).toThrow(EgressError);
  const resolve = async () => [{ address: "169.254.169.254", family: 4 }];
  const [error] = await once(dialHost("nas.example", port, "lan", resolve), "error");
  expect(error).toBeInstanceOf(EgressError);
  for (const host of ["", "nas/x", "user@nas", "a b"]) expect(() => dialHost(host, port, "lan")).toThrow("host");
  expect(() => dialHost("nas", 70_000, "lan")).toThrow("port");
  const closed = once(server, "close");
  server.close();
  await closed;
});
