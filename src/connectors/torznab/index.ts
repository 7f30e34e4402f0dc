/** Indexers that speak Torznab or Newznab. */
export {
  type FakeIndexer,
  type FakeIndexerOptions,
  fakeIndexer,
  type IndexerTrouble,
} from "./fake-indexer.ts";
export type {
  FetchedTorrent,
  FoundReleases,
  Indexer,
  IndexerCaps,
  Release,
  SearchAbility,
  Wanted,
} from "./indexer.ts";
export {
  type AskedSearch,
  type IndexerTruth,
  IndexerWorld,
  type IndexerWorldOptions,
  type ListedOffer,
  type Offer,
} from "./indexer-world.ts";
export { infohashOfMagnet } from "./magnet.ts";
export type { WantedCategories } from "./queries.ts";
export { type TorznabContractCase, type TorznabContractWorld, torznabContract } from "./torznab.contract.ts";
export { type TorznabOptions, torznab } from "./torznab.ts";
