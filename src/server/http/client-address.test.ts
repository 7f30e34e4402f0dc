import { describe, expect, it } from "vitest";
import { clientAddress, NO_PROXIES, trustedProxies } from "./client-address.ts";

const proxies = trustedProxies(["10.0.0.0/8", "192.0.2.1", "fd00::/8"]);

describe("where a request comes from", () => {
  it.each([
    ["nobody's header counts without proxies", "198.51.100.7", "203.0.113.9", NO_PROXIES, "198.51.100.7"],
    ["nor that of a stranger", "198.51.100.7", "203.0.113.9", proxies, "198.51.100.7"],
    ["a proxy says who is behind it", "10.0.0.2", "203.0.113.9", proxies, "203.0.113.9"],
    ["also over the newer socket", "::ffff:10.0.0.2", "203.0.113.9", proxies, "203.0.113.9"],
    ["several say so in turn", "fd00::1", "203.0.113.9, 10.1.1.1, 192.0.2.1", proxies, "203.0.113.9"],
    ["what a client made up comes before its own", "10.0.0.2", "1.1.1.1, 203.0.113.9", proxies, "203.0.113.9"],
    ["nonsense ends it", "10.0.0.2", "203.0.113.9, unknown", proxies, "10.0.0.2"],
    ["with port and brackets", "10.0.0.2", "[2001:db8::1]:4711", proxies, "2001:db8::1"],
    ["with a port", "10.0.0.2", "203.0.113.9:4711", proxies, "203.0.113.9"],
    ["no header", "10.0.0.2", undefined, proxies, "10.0.0.2"],
    ["all of them ours", "10.0.0.2", "10.0.0.3", proxies, "10.0.0.3"],
    ["no socket", "unknown", "203.0.113.9", proxies, "unknown"],
  ])("%s", (_, socket, header, known, client) => {
    expect(clientAddress(socket, header, known)).toBe(client);
  });
});

it.each(["proxy.lan", "10.0.0.0/33", "10.0.0.0/", "fd00::/129", "10.0.0.0/8/8", ""])("refuses %j as a proxy", (one) => {
  expect(() => trustedProxies([one])).toThrow(/^a trusted proxy is an address or a network/);
});
