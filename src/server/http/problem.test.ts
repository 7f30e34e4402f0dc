import { describe, expect, it } from "vitest";
import { SluiceError } from "../../engine/index.ts";
import { problemOf } from "./problem.ts";

const coded = (code: string) => Object.assign(new Error("said /etc/passwd"), { code });

describe("what is told of an error", () => {
  it.each(["ECONNREFUSED", "CONNECTION_LOST", "57P01", "57P03", "53300", "57014", "55P03", "40P01"])(
    "%s: the database is away or busy, and it is worth another try",
    (code) => {
      expect(problemOf(coded(code), "r")).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: 2 });
    },
  );

  it.each([coded("42601"), coded("23505"), new Error("said /etc/passwd"), "nonsense"])(
    "%s: a bug of ours is a reference and nothing else",
    (error) => {
      const problem = problemOf(error, "r-7");
      expect(problem).toMatchObject({ status: 500, code: "INTERNAL", requestId: "r-7" });
      expect(JSON.stringify(problem)).not.toContain("/etc");
    },
  );

  it("what was meant is told with its field", () => {
    expect(problemOf(new SluiceError("NOT_FOUND", "there is no item 7", { field: "item" }), "r")).toMatchObject({
      ...{ status: 404, code: "NOT_FOUND", detail: "there is no item 7", field: "item" },
      type: "/api/v1/errors#NOT_FOUND",
    });
  });
});
