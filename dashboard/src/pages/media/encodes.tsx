// What a film or an episode is encoded as: one line for each encoding, and for earlier tries.

import { useQuery } from "@tanstack/react-query";
import type { EncodeJobView } from "../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { Loaded } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { EncodeJob } from "./encode-job.tsx";

const texts = words.media.encodes;
/** What goes as it was found is no encode; the server that gets it says so. */
const ORIGINAL = "original";
const isEncode = ({ encoding }: EncodeJobView) => encoding !== ORIGINAL;

/** Nothing where nothing is to be encoded. */
export function Encodes({ item }: { readonly item: string }) {
  const query = useQuery(mediaQueries.encodes(item));
  if (query.data?.entries.some(isEncode) === false) return null;
  return (
    <section aria-label={texts.title} className="-mx-4 border-t border-line pt-2">
      <h3 className="px-4 text-sm font-semibold text-soft">{texts.title}</h3>
      <Loaded query={query} what={texts.title}>
        {({ entries }) => (
          <ul className="divide-y divide-line">
            {entries.filter(isEncode).map((job) => (
              <EncodeJob key={`${job.encoding} ${job.since} ${job.turn}`} job={job}>
                <Named job={job} />
              </EncodeJob>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function Named({ job: { encoding, encoder, since, endedAt } }: { readonly job: EncodeJobView }) {
  return (
    <>
      <span className="font-medium" dir="auto">
        {encoding}
      </span>
      {encoder === null ? null : (
        <span className="text-sm text-soft" dir="auto">
          {texts.by(encoder)}
        </span>
      )}
      <Ago at={endedAt ?? since} className="order-last text-sm text-soft" />
    </>
  );
}
