// All that media needs to know of the world: where to look things up, where to search, what downloads, and what is liked.

import { words } from "../../../text/words.ts";
import { Clients } from "./clients.tsx";
import { Indexers } from "./indexers.tsx";
import { Metadata } from "./metadata.tsx";
import { Profiles } from "./profiles.tsx";

export function MediaSettings() {
  return (
    <>
      <p className="text-sm text-soft">{words.settings.media.about}</p>
      <Metadata />
      <Indexers />
      <Clients />
      <Profiles />
    </>
  );
}
