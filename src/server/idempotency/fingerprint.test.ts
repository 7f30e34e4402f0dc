import { expect, it } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

const one = fingerprintOf("POST", "/a", '{"name":"ann","password":"correct horse"}');

it("is the same for the same request, however it is spaced", () => {
  expect(fingerprintOf("POST", "/a", '{ "name": "ann", "password": "correct horse" }')).toBe(one);
});

it.each([
  ["PUT", "/a", '{"name":"ann","password":"correct horse"}'],
  ["POST", "/a?dryRun=false", '{"name":"ann","password":"correct horse"}'],
  ["POST", "/a", '{"name":"bob","password":"correct horse"}'],
  ["POST", "/a", "no JSON"],
  ["POST", "/a", ""],
])("is another for %s %s %s", (method, path, body) => expect(fingerprintOf(method, path, body)).not.toBe(one));

it("tells nothing of a secret in it", () => {
  expect(fingerprintOf("POST", "/a", '{"name":"ann","password":"battery staple"}')).toBe(one);
});
