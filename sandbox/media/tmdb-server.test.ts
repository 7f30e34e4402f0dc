import { afterEach, expect, test } from "vitest";
import { tmdb } from "../../src/connectors/index.ts";
import { TmdbServer } from "./tmdb-server.ts";

const KEY = "0123456789abcdef0123456789abcdef";
let server = new TmdbServer();
afterEach(() => server.down());

test("its images are where its client says, without a key", async () => {
  const picture = Buffer.from("89504e470d0a1a0a", "hex");
  server = new TmdbServer({ key: KEY, images: new Map([["/poster.png", picture]]) });
  await server.up();
  const metadata = tmdb({ key: KEY, baseUrl: server.url, imagesUrl: server.imagesUrl });
  expect(await metadata.image("poster", "/poster.png", 300)).toEqual({ type: "image/png", bytes: picture });
  await expect(metadata.image("poster", "/other.png", 300)).rejects.toMatchObject({ code: "IMAGE_NOT_FOUND" });
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
