// What becomes of what was downloaded: who encodes it, into what, and where it goes.

import { words } from "../../../text/words.ts";
import { Encoders } from "./encoders.tsx";
import { Encodings } from "./encodings.tsx";
import { Servers } from "./servers.tsx";

export function DeliverySettings() {
  return (
    <>
      <p className="text-sm text-soft">{words.settings.delivery.about}</p>
      <Servers />
      <Encoders />
      <Encodings />
    </>
  );
}
