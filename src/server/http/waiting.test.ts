import { describe, expect, it } from "vitest";
import { waitingAnswer } from "./waiting.ts";

const waiting = { since: new Date("2030-01-01T12:00:00Z"), trouble: "nothing listens at its address" };
const ask = (path: string, accept = "*/*") =>
  waitingAnswer(new Request(`http://localhost${path}`, { headers: { accept } }), waiting);

describe("while the database is not there", () => {
  it("people get a page that says so and looks again", async () => {
    const answer = ask("/items", "text/html,*/*");
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain("Sluice is waiting for its database…");
    expect(text).toContain("Nothing listens at its address.");
    expect(text).toContain("2030-01-01T12:00:00.000Z");
    expect(text).toContain('http-equiv="refresh"');
  });

  it("programs get a problem, and when to come back", async () => {
    const answer = ask("/api/v1/items", "text/html");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.json()).toMatchObject({
      type: "/api/v1/errors#UNAVAILABLE",
      code: "UNAVAILABLE",
      retryAfter: 2,
    });
  });

  it("it lives, and is not ready", async () => {
    expect(ask("/healthz").status).toBe(200);
    expect(ask("/readyz").status).toBe(503);
    expect(await ask("/readyz").json()).toEqual({
      status: "not ready",
      reasons: ["waiting for the database: nothing listens at its address"],
    });
  });

  it("what is told cannot become a part of the page", async () => {
    const answer = waitingAnswer(new Request("http://localhost/", { headers: { accept: "text/html" } }), {
      ...waiting,
      trouble: "<script>",
    });
    expect(await answer.text()).toContain("&lt;script&gt;");
  });
});
