// How all of a request stands, in one word.

import type { MediaCard } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { useNow } from "../../ui/now.ts";
import { COLOURS, Glyph } from "./glyph.tsx";
import { dayOf, rollUp } from "./standing.ts";

const texts = words.media;

export function StatusBadge({ of: request }: { readonly of: Pick<MediaCard, "status" | "items"> }) {
  const { look, of } = rollUp(request, dayOf(useNow()));
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border border-current/40 px-2 py-0.5 text-sm font-medium whitespace-nowrap ${COLOURS[look]}`}
    >
      <Glyph standing={look} className="size-3" />
      <span className="inline-block first-letter:uppercase">
        {of === undefined ? texts.statuses[request.status] : texts.standings[of]}
      </span>
    </span>
  );
}
