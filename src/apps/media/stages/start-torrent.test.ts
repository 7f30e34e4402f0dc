import { expect, it } from "vitest";
import { fakeTorrents } from "../../../connectors/index.ts";
import { unavailable } from "../../../engine/index.ts";
import { startTorrent } from "./download.ts";
import { Setbacks } from "./setbacks.ts";

const infohash = "a".repeat(40);
const wanted = { infohash, source: { magnet: `magnet:?xt=urn:btih:${infohash}` }, key: "key" };

function world(ready?: () => Promise<void>) {
  const { client, world: truth } = fakeTorrents({ folder: "/downloads", service: "torrents:nas" });
  const place = async () => ({ folder: "/downloads", paths: [] });
  const given = { torrents: client, place, setbacks: new Setbacks(), ...(ready === undefined ? {} : { ready }) };
  return { given, begun: () => truth.truth().alive };
}

it("nothing is begun where what would come of it could not be found", async () => {
  const refusal = unavailable("PLACE_NOT_FOUND", "not mounted", { breaker: "none" });
  const { given, begun } = world(() => Promise.reject(refusal));
  await expect(startTorrent(given, wanted, new AbortController().signal)).rejects.toBe(refusal);
  expect(begun()).toEqual([]);
});

it("with its folder here it is begun", async () => {
  const { given, begun } = world(async () => {});
  await startTorrent(given, wanted, new AbortController().signal);
  expect(begun()).toEqual([infohash]);
});
