// While the converter is away or has too much to do, everybody who waits for it reads that it goes on by itself.

import { useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { documentQueries } from "../../api/documents.ts";
import { words } from "../../text/words.ts";
import { At, Countdown } from "../../ui/time.tsx";

const texts = words.documents.banner;

export function Banner() {
  const { data } = useQuery(documentQueries.about());
  const { banner = null, busySince = null, nextCheckAt = null } = data ?? {};
  // It stays where it is, so that what comes into it is read out.
  return (
    <section aria-label={texts.label} aria-live="polite" className={banner === null ? "sr-only" : ""}>
      {banner === null ? null : (
        <p className="flex items-start gap-2.5 rounded-lg border border-waiting/50 bg-waiting-soft px-4 py-2.5">
          <Hourglass aria-hidden className="mt-0.5 size-5 shrink-0 text-waiting" />
          <span>
            <strong className="font-semibold" dir="auto">
              {banner}
            </strong>{" "}
            {busySince === null ? null : (
              <>
                {texts.since} <At at={busySince} />.{" "}
              </>
            )}
            {nextCheckAt === null ? null : (
              // Its seconds are for eyes; read out they would never end.
              <span aria-live="off">
                {texts.next} <Countdown until={nextCheckAt} />.
              </span>
            )}
          </span>
        </p>
      )}
    </section>
  );
}
