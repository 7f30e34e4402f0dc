import { expect, test } from "vitest";
import { newSigningSecret, signed, signingKey } from "./standard-webhook.ts";

test("signs as the specification's own example does", () => {
  const headers = signed(
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330_000,
    '{"test": 2432232314}',
  );
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("makes secrets that it takes", () => {
  expect(signingKey(newSigningSecret()).byteLength).toBe(32);
  expect(newSigningSecret()).not.toBe(newSigningSecret());
});

test.each([
  "",
  "whsec_",
  "whsec_c2hvcnQ=",
  "secret",
  `whsec_${"A".repeat(100)}`,
  "whsec_not base64 at all, but long enough",
])("%j is no secret to sign with, and is not repeated in the error", (secret) => {
  expect(() => signingKey(secret)).toThrow(/^secret is whsec_ and 24 to 64 bytes as base64/);
});
