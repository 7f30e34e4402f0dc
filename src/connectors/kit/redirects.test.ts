import { describe, expect, test } from "vitest";
import { nextHop, type Redirects } from "./redirects.ts";

const request = {
  method: "GET",
  url: new URL("https://nas:8443/api/jobs"),
  headers: { accept: "application/json", authorization: "Bearer s", "x-api-key": "s", cookie: "SID=s" },
  body: undefined,
};
const post = { ...request, method: "POST", body: Buffer.from("{}"), headers: { "content-type": "application/json" } };
const follow: Redirects = { follow: { hops: 3 } };

describe("a redirect", () => {
  test("is refused unless it was asked for", () => {
    expect(nextHop(request, { status: 302, location: "/x" }, "none", 0)).toHaveProperty("refused");
  });

  test("within the origin keeps everything", () => {
    const hop = nextHop(request, { status: 302, location: "../v2/jobs#part" }, "same-origin", 0);
    expect(hop).toMatchObject({ go: { headers: request.headers }, egress: undefined });
    expect("go" in hop && hop.go.url.href).toBe("https://nas:8443/v2/jobs");
  });

  test.each(["https://nas/x", "https://other:8443/x", "http://nas:8443/x", "//other/x"])(
    "to %s leaves the origin",
    (location) => {
      expect(nextHop(request, { status: 302, location }, "same-origin", 0)).toHaveProperty("refused");
    },
  );

  test("to another origin takes no credentials along, and is held to the public policy", () => {
    const hop = nextHop(request, { status: 302, location: "https://cdn.example/x" }, follow, 0);
    expect(hop).toMatchObject({ egress: "public" });
    expect("go" in hop && hop.go.headers).toEqual({ accept: "application/json" });
  });

  test.each([
    ["ftp://nas/x"],
    ["file:///etc/passwd"],
    ["https://user:pass@other/x"],
    ["https://["],
    [undefined],
    ["http://other/x"],
  ])("to %s is refused", (location) => {
    expect(nextHop(request, { status: 302, location }, follow, 0)).toHaveProperty("refused");
  });

  test("is followed so often and no more", () => {
    expect(nextHop(request, { status: 302, location: "/x" }, follow, 2)).toHaveProperty("go");
    expect(nextHop(request, { status: 302, location: "/x" }, follow, 3)).toHaveProperty("refused");
  });

  test.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ])("%i makes a POST a %s", (status, method) => {
    const hop = nextHop(post, { status, location: "/x" }, follow, 0);
    expect(hop).toMatchObject({ go: { method, body: method === "GET" ? undefined : post.body } });
    expect("go" in hop && Object.keys(hop.go.headers)).toEqual(method === "GET" ? [] : ["content-type"]);
  });

  test("carries no body to another origin", () => {
    expect(nextHop(post, { status: 307, location: "https://other/x" }, follow, 0)).toHaveProperty("refused");
    expect(nextHop(post, { status: 303, location: "https://other/x" }, follow, 0)).toHaveProperty("go");
  });
});
