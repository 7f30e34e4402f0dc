import { describe, expect, test } from "vitest";
import { transient } from "../../engine/index.ts";
import { EgressError } from "./egress.ts";
import { errnoFault } from "./errno-faults.ts";
import { connectionFault, type Phase, statusFault } from "./http-faults.ts";

const nowMs = Date.parse("2026-03-01T12:00:00Z");
const whom = { service: "encoder:one", what: "POST /jobs" };
const failed = (code: string) => Object.assign(new Error(`it says ${code}`), { code });

describe("a status", () => {
  type Row = [
    status: number,
    headers: Record<string, string>,
    kind: string,
    code: string,
    breaker: string,
    wait?: number,
  ];
  test.each<Row>([
    [400, {}, "permanent", "HTTP_400", "success"],
    [401, {}, "unavailable", "AUTH", "open"],
    [403, {}, "unavailable", "AUTH", "open"],
    [403, { "retry-after": "5" }, "unavailable", "AUTH", "open"],
    [404, {}, "permanent", "HTTP_404", "success"],
    [408, {}, "transient", "TIMEOUT", "failure"],
    [409, {}, "permanent", "HTTP_409", "success"],
    [413, {}, "permanent", "HTTP_413", "success"],
    [413, { "retry-after": "30" }, "unavailable", "BUSY", "none", 30_000],
    [415, {}, "permanent", "HTTP_415", "success"],
    [422, {}, "permanent", "HTTP_422", "success"],
    [429, { "retry-after": "120" }, "unavailable", "RATE_LIMITED", "none", 120_000],
    [429, { "retry-after": "0" }, "unavailable", "RATE_LIMITED", "none", 0],
    [429, {}, "unavailable", "RATE_LIMITED", "none", 60_000],
    [429, { "retry-after": "soon" }, "unavailable", "RATE_LIMITED", "none", 60_000],
    [500, {}, "transient", "HTTP_500", "failure"],
    [502, {}, "transient", "HTTP_502", "failure"],
    [503, {}, "unavailable", "HTTP_503", "failure"],
    [503, { "retry-after": "Sun, 01 Mar 2026 12:01:00 GMT" }, "unavailable", "BUSY", "none", 60_000],
    [504, {}, "transient", "HTTP_504", "failure"],
    [507, {}, "unavailable", "DISK_FULL", "none"],
    [599, {}, "transient", "HTTP_599", "failure"],
    [999, {}, "transient", "UNKNOWN", "failure"],
  ])("%i with %j is %s %s, breaker %s", (status, headers, kind, code, breaker, wait) => {
    const fault = statusFault({ ...whom, status, headers, nowMs });
    expect(fault).toMatchObject({ kind, code, breaker, service: "encoder:one" });
    expect(fault.retryAfterMs).toBe(wait);
  });

  test("503 of a service for which that is normal is back-pressure", () => {
    const fault = statusFault({ ...whom, status: 503, headers: {}, nowMs, busyWaitMs: 5_000 });
    expect(fault).toMatchObject({ kind: "unavailable", code: "BUSY", breaker: "none", retryAfterMs: 5_000 });
  });

  test("passes on what the service said, short and on one line, but not about credentials", () => {
    const said = `bad\u0000 \u001b[31mframe\r\nrate ${"x".repeat(9_000)}`;
    const { message } = statusFault({ ...whom, status: 422, headers: {}, nowMs, said });
    expect(message).toMatch(/^encoder:one answered 422 to POST \/jobs: bad \[31mframe rate x+…$/);
    expect(message.length).toBeLessThan(300);
    expect(statusFault({ ...whom, status: 401, headers: {}, nowMs, said: "key abc is wrong" }).message).not.toContain(
      "abc",
    );
  });
});

describe("an error of the connection", () => {
  test.each<[string, Phase, string, string, string]>([
    ["ECONNREFUSED", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["ENOTFOUND", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["EAI_AGAIN", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["EHOSTUNREACH", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["ENETUNREACH", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["ETIMEDOUT", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["ECONNRESET", "connect", "unavailable", "NOT_REACHED", "failure"],
    ["CERT_HAS_EXPIRED", "connect", "unavailable", "TLS", "failure"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "connect", "unavailable", "TLS", "failure"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "connect", "unavailable", "TLS", "failure"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "connect", "unavailable", "TLS", "failure"],
    ["EPROTO", "connect", "unavailable", "TLS", "failure"],
    ["ERR_INVALID_CHAR", "connect", "permanent", "BAD_REQUEST", "none"],
    ["ECONNRESET", "exchange", "transient", "RESET", "failure"],
    ["EPIPE", "exchange", "transient", "RESET", "failure"],
    ["ETIMEDOUT", "exchange", "transient", "TIMEOUT", "failure"],
    ["HPE_INVALID_CONSTANT", "exchange", "transient", "BAD_ANSWER", "failure"],
    ["ECONNRESET", "body", "transient", "TRUNCATED", "failure"],
    ["ERR_STREAM_PREMATURE_CLOSE", "body", "transient", "TRUNCATED", "failure"],
    ["ENOSPC", "body", "unavailable", "DISK_FULL", "none"],
    ["ESOMETHING", "exchange", "transient", "UNKNOWN", "failure"],
  ])("%s while in %s is %s %s, breaker %s", (errno, phase, kind, code, breaker) => {
    const error = failed(errno);
    const fault = connectionFault(error, phase, whom, "lan");
    expect(fault).toMatchObject({ kind, code, breaker, service: "encoder:one", cause: error });
  });

  test.each<[unknown]>([[new TypeError("x is undefined")], ["text"], [undefined], [{ code: 7 }]])(
    "%s is unknown, also before anything was sent",
    (thrown) => {
      expect(connectionFault(thrown, "connect", whom, "lan")).toMatchObject({ kind: "transient", code: "UNKNOWN" });
    },
  );

  test("a fault stays what it is", () => {
    const fault = transient("MINE", "mine");
    expect(connectionFault(fault, "body", whom, "lan")).toBe(fault);
  });

  test("a forbidden address is the operator's matter, or the fault of the data it came from", () => {
    const error = new EgressError("nas", "169.254.1.1", "is link-local");
    expect(connectionFault(error, "connect", whom, "lan")).toMatchObject({ kind: "unavailable", breaker: "failure" });
    expect(connectionFault(error, "connect", whom, "public")).toMatchObject({
      kind: "permanent",
      code: "EGRESS_REFUSED",
      breaker: "none",
      message: "encoder:one: refused to connect to nas at 169.254.1.1, which is link-local",
    });
  });
});

describe("an error of the system", () => {
  test.each([
    ["ENOSPC", "unavailable", "DISK_FULL", "none"],
    ["EDQUOT", "unavailable", "DISK_FULL", "none"],
    ["EACCES", "permanent", "PERMISSION_DENIED", "none"],
    ["EPERM", "permanent", "PERMISSION_DENIED", "none"],
    ["EROFS", "permanent", "PERMISSION_DENIED", "none"],
    ["ENOENT", "permanent", "ENOENT", "success"],
    ["EMFILE", "unavailable", "NO_RESOURCES", "none"],
    ["EIO", "transient", "EIO", "failure"],
    ["EWHATEVER", "transient", "UNKNOWN", "failure"],
  ])("%s is %s %s, breaker %s", (errno, kind, code, breaker) => {
    expect(errnoFault(failed(errno), "reading the source", "disk")).toMatchObject({
      kind,
      code,
      breaker,
      service: "disk",
    });
  });

  test("without a code is unknown", () => {
    expect(errnoFault(new Error("odd"), "reading")).toMatchObject({ kind: "transient", code: "UNKNOWN" });
  });
});
