import { afterEach, describe, expect, it, test } from "vitest";
import { LittleMediaServer } from "../../../sandbox/media/media-server.ts";
import { fakeMediaServer } from "./fake-media-server.ts";
import { emby, jellyfin } from "./media-browser.ts";
import { mediaServerContract } from "./media-server.contract.ts";
import type { MediaServer, MediaServerKind } from "./media-server.ts";
import { plex } from "./plex.ts";

const up: LittleMediaServer[] = [];
afterEach(async () => {
  for (const server of up.splice(0)) await server.down();
});

async function serve(kind: MediaServerKind) {
  const server = new LittleMediaServer({ kind, key: "right" });
  await server.up();
  up.push(server);
  const as = (key: string): MediaServer => {
    const options = { service: `media-server:${kind}`, baseUrl: server.origin };
    if (kind === "plex") return plex({ ...options, token: key });
    return kind === "emby" ? emby({ ...options, key }) : jellyfin({ ...options, key });
  };
  return { server, as };
}

describe("the fake keeps the contract", () => {
  test.each(mediaServerContract)("$name", async ({ run }) => {
    const { client, world, down } = fakeMediaServer();
    await run({ client, world, down: async (isDown) => down(isDown) });
  });
});

describe.each(["jellyfin", "emby", "plex"] as const)("%s", (kind) => {
  test.each(mediaServerContract)("keeps the contract: $name", async ({ run }) => {
    const { server, as } = await serve(kind);
    const down = (isDown: boolean) => (isDown ? server.down() : server.up());
    await run({ client: as("right"), world: server.world, down });
  });

  it("refuses a wrong key, and everything waits until that is mended", async () => {
    const { as } = await serve(kind);
    await expect(as("wrong").about()).rejects.toMatchObject({ kind: "unavailable", code: "AUTH", breaker: "open" });
    await expect(as("wrong").refresh(["/media/films/a/b.mkv"])).rejects.toMatchObject({ code: "AUTH" });
  });

  it("that answers with a page, with half of it or not at all is no answer", async () => {
    const { server, as } = await serve(kind);
    server.troubles.push("web-page", "by-half", { status: 500 });
    await expect(as("right").about()).rejects.toMatchObject({ kind: "transient", code: "BAD_ANSWER" });
    await expect(as("right").about()).rejects.toMatchObject({ kind: "transient", code: "BAD_ANSWER" });
    await expect(as("right").about()).rejects.toMatchObject({ kind: "transient", code: "HTTP_500" });
  });

  it("has no key in an address", async () => {
    const { server, as } = await serve(kind);
    await as("right").refresh(["/media/films/a/b.mkv"]);
    expect(server.requests.join(" ")).not.toContain("right");
  });
});

it("a key that cannot be one is refused at once", () => {
  const options = { service: "media-server", baseUrl: "http://127.0.0.1:1" };
  for (const key of ["", 'a"b', "a b", "a\nb"]) {
    expect(() => jellyfin({ ...options, key })).toThrow("key");
    expect(() => plex({ ...options, token: key })).toThrow("token");
  }
});

it("paths of a server on Windows are told as they are", async () => {
  const fake = fakeMediaServer({ folders: ["D:\\Films\\"] });
  expect(await fake.client.refresh(["D:\\Films\\Ein Film\\film.mkv", "D:\\Filme\\x.mkv"])).toEqual({
    strange: ["D:\\Filme\\x.mkv"],
  });
  expect(fake.world.truth().told).toEqual(["D:\\Films\\Ein Film"]);
});
