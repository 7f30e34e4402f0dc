import { QueryObserver } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Me } from "../../../src/server/contract/wire.ts";
import { makeClient } from "./client.ts";
import { queries } from "./queries.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  [["workers"], 10_000],
  [["overview"], 10_000],
  [["operations", "opr_1", "members"], 10_000],
  [["pipelines"], undefined],
])("%j is asked for again by itself after %s ms", (queryKey, ms) => {
  expect(makeClient().defaultQueryOptions({ queryKey }).refetchInterval).toBe(ms);
});

describe("a session that was ended elsewhere", () => {
  const refusedWith = async (status: number) => {
    const client = makeClient();
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (path: string) => {
      asked.push(path);
      return Response.json({ detail: "no" }, { status: path.endsWith("/me") && status !== 401 ? 200 : status });
    });
    client.setQueryData<Partial<Me>>(["me"], { user: "ada" });
    const watched = new QueryObserver(client, queries.me());
    const leave = watched.subscribe(() => undefined);
    await client.fetchQuery(queries.workers()).catch(() => undefined);
    await client
      .getQueryCache()
      .find({ queryKey: ["me"] })
      ?.promise?.catch(() => undefined);
    const { error } = watched.getCurrentResult();
    leave();
    client.clear();
    return { asked, error };
  };

  it("shows by any answer, and the door learns of it at once", async () => {
    const { asked, error } = await refusedWith(401);
    expect(asked).toEqual(["/api/v1/workers", "/api/v1/me"]);
    expect(error).toMatchObject({ status: 401 });
  });

  it("is not what other refusals are about", async () => {
    expect((await refusedWith(403)).asked).toEqual(["/api/v1/workers"]);
  });
});

it("nothing that one person was shown is left for another", async () => {
  const client = makeClient();
  client.setQueryData<Partial<Me>>(["me"], { user: "ada" });
  client.setQueryData(["items"], "ada's");
  const answer = (user: string) => vi.stubGlobal("fetch", async () => Response.json({ user }));
  answer("ada");
  await client.fetchQuery({ ...queries.me(), staleTime: 0 });
  expect(client.getQueryData(["items"])).toBe("ada's");
  answer("eve");
  await client.fetchQuery({ ...queries.me(), staleTime: 0 });
  expect(client.getQueryData(["items"])).toBeUndefined();
  expect(client.getQueryData(["me"])).toEqual({ user: "eve" });
  client.clear();
});
