/** Servers that show films to people. */
export {
  type FakeMediaServer,
  type FakeMediaServerOptions,
  fakeMediaServer,
  type MediaServerCall,
} from "./fake-media-server.ts";
export { emby, jellyfin, type MediaBrowserOptions } from "./media-browser.ts";
export {
  type MediaServerContractCase,
  type MediaServerContractWorld,
  mediaServerContract,
} from "./media-server.contract.ts";
export {
  isBelow,
  type MediaServer,
  type MediaServerAbout,
  type MediaServerKind,
  type Refreshed,
} from "./media-server.ts";
export { MediaServerWorld, type MediaServerWorldOptions } from "./media-server-world.ts";
export { type PlexOptions, plex } from "./plex.ts";
