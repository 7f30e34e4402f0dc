import { afterEach, expect, test } from "vitest";
import { tmdb } from "../../src/connectors/index.ts";
import { TmdbServer } from "./tmdb-server.ts";

const KEY = "0123456789abcdef0123456789abcdef";
let server = new TmdbServer();
afterEach(() => server.down());

test("its images are where its client says, without a key", async () => {
  server = new TmdbServer({ key: KEY, images: new Map([["/poster.png", Buffer.from("picture")]]) });
  await server.up();
  const metadata = tmdb({ key: KEY, baseUrl: server.url, imagesUrl: server.imagesUrl });
  const answer = await fetch(await metadata.imageUrl("poster", "/poster.png", 300));
  expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["image/png", "picture"]);
  expect((await fetch(await metadata.imageUrl("poster", "/other.png", 300))).status).toBe(404);
});

test("who has another key is refused, and who calls it by another name too", async () => {
  server = new TmdbServer({ key: KEY });
  await server.up();
  const other = tmdb({ key: KEY.replace("0", "1"), baseUrl: server.url });
  await expect(other.film(1)).rejects.toMatchObject({ code: "AUTH" });
  const named = tmdb({
    ...{ key: KEY, baseUrl: server.url.replace("127.0.0.1", "elsewhere.example") },
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  await expect(named.film(1)).rejects.toMatchObject({ code: "HTTP_421" });
});
