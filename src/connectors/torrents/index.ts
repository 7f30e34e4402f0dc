/** Download clients: what they do for a stage, and those there are. */
export { type ClientOptions, DEFAULTS as TORRENT_DEFAULTS } from "./bittorrent/options.ts";
export { findTorrents, type TorrentsPlace } from "./embedded-notes.ts";
export { serveTorrents, type TorrentServer, type TorrentServerOptions } from "./embedded-server.ts";
export { type EmbeddedTorrentsOptions, embeddedTorrents } from "./embedded-torrents.ts";
export {
  type FakeTorrents,
  type FakeTorrentsOptions,
  fakeTorrents,
  type TorrentsCall,
} from "./fake-torrents.ts";
export {
  infohashOf,
  type Magnet,
  MOST_TORRENT_BYTES,
  readMagnet,
  readTorrent,
  type TorrentContent,
} from "./infohash.ts";
export { type QbittorrentOptions, qbittorrent } from "./qbittorrent/qbittorrent.ts";
export { checkNewTorrent, checkTag, isTagOfOurs, OWN_TAG } from "./tags.ts";
export type { Published, TorrentLie, WorldTorrent } from "./torrent-step.ts";
export { type TorrentsTruth, TorrentWorld, type TorrentWorldOptions } from "./torrent-world.ts";
export {
  type MadeTorrent,
  type SeenTorrents,
  type TorrentsContractCase,
  type TorrentsContractWorld,
  torrentsContract,
} from "./torrents.contract.ts";
export type {
  NewTorrent,
  SeenTorrent,
  TorrentFile,
  TorrentSource,
  TorrentState,
  Torrents,
  TorrentsAbout,
} from "./torrents.ts";
