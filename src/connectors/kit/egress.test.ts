import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressBytes, block, isInside } from "./address.ts";
import { egressRefusal } from "./egress.ts";

const neighbours = ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.2", "127.0.0.1", "127.9.9.9", "100.64.0.1"];
const neighbours6 = ["::1", "fd12:3456::1", "fc00::1"];
const never = [
  "169.254.169.254",
  "169.254.0.1",
  "0.0.0.0",
  "0.1.2.3",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "192.0.2.1",
  "198.51.100.9",
  "203.0.113.9",
  "192.88.99.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::169.254.169.254",
  "64:ff9b:1::1",
  "::7f00:1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "100::1",
  "4000::1",
];
const publicOnes = ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"];

describe("egress", () => {
  test.each([...neighbours, ...neighbours6])("%s is for configured services only", (address) => {
    expect(egressRefusal("lan", address)).toBeUndefined();
    expect(egressRefusal("public", address)).toBeDefined();
  });

  test.each(never)("%s is for nobody", (address) => {
    expect(egressRefusal("lan", address)).toBeDefined();
    expect(egressRefusal("public", address)).toBeDefined();
  });

  test.each(publicOnes)("%s is for everybody", (address) => {
    expect(egressRefusal("lan", address)).toBeUndefined();
    expect(egressRefusal("public", address)).toBeUndefined();
  });

  test("an IPv4 address in IPv6 clothes is judged by what it is, and from outside not at all", () => {
    expect(egressRefusal("lan", "::ffff:192.168.1.2")).toBeUndefined();
    expect(egressRefusal("public", "::ffff:192.168.1.2")).toBe("is IPv4-mapped");
    expect(egressRefusal("public", "::ffff:1.1.1.1")).toBe("is IPv4-mapped");
    expect(egressRefusal("public", "64:ff9b::1.1.1.1")).toBeUndefined();
    expect(egressRefusal("public", "64:ff9b::10.0.0.1")).toBe("is private");
  });

  test.each(["localhost", "", "1.2.3", "127.1", "0x7f000001", "[::1]"])("%j is no address, and refused", (text) => {
    expect(egressRefusal("lan", text)).toBe("is not an IP address");
  });
});

describe("blocks of addresses", () => {
  test("agree with Node's own, for every address and every length", () => {
    const ip = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(ip, ip, fc.nat(128), (base, address, length) => {
        const family = isIPv4(base) ? "ipv4" : "ipv6";
        fc.pre(isIPv4(base) === isIPv4(address));
        const bits = Math.min(length, family === "ipv4" ? 32 : 128);
        const list = new BlockList();
        list.addSubnet(base, bits, family);
        const bytes = addressBytes(address);
        // Node calls a mapped address one of IPv4; here the two never meet.
        expect(bytes !== undefined && isInside(block(`${base}/${bits}`), bytes)).toBe(list.check(address, family));
      }),
    );
  });
});
