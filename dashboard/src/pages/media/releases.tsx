// What was found for a film or an episode: what is taken, what comes after it, what was refused and why. A person may choose.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MediaReleases } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { mediaPaths, mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { ReleaseTable, type Shown } from "./release-table.tsx";
import { saysTheSame } from "./same-words.ts";
import { type Loss, TakeThis } from "./take.tsx";

const texts = words.media.releases;

interface Props {
  readonly item: string;
  readonly isReady: boolean;
  /** What is said of the item beside it, and need not be said twice. */
  readonly told?: string;
}

export function Releases({ item, isReady, told }: Props) {
  const query = useQuery(mediaQueries.releases(item));
  return (
    <section aria-label={texts.title} className="-mx-4 pt-2">
      <h3 className="px-4 pb-1 text-sm font-semibold text-soft">{texts.title}</h3>
      <Loaded query={query} what={texts.title}>
        {(releases) => <Found item={item} isReady={isReady} releases={releases} told={told} />}
      </Loaded>
    </section>
  );
}

interface FoundProps extends Pick<Props, "item" | "isReady"> {
  readonly releases: MediaReleases;
  readonly told: string | undefined;
}

function Found({ item, isReady, releases, told }: FoundProps) {
  const { taken, next, refused, searchedAt, sentence, canChoose } = releases;
  const [chosen, setChosen] = useState<Shown>();
  const loss = isReady ? "ready" : taken === null ? "nothing" : "download";
  const onTake = canChoose ? setChosen : undefined;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4">
        <p className="min-w-0 grow basis-64" dir="auto">
          {saysTheSame(sentence, told) ? null : `${sentence} `}
          <span className="text-sm text-soft">
            {searchedAt === null ? (
              texts.never
            ) : (
              <>
                {texts.searched} <Ago at={searchedAt} />
              </>
            )}
          </span>
        </p>
        {canChoose ? <SearchAgain item={item} loss={loss} /> : <p className="text-sm text-soft">{texts.mayNot}</p>}
      </div>
      <Part title={texts.taken} none={texts.takenNone} rows={taken === null ? [] : [taken]} />
      <Part title={texts.next} none={texts.nextNone} rows={next} onTake={onTake} />
      <Part title={texts.refused} none={texts.refusedNone} rows={refused} onTake={onTake} />
      <TakeThis item={item} chosen={chosen} loss={loss} onClose={() => setChosen(undefined)} />
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly Shown[];
  readonly onTake?: ((release: Shown) => void) | undefined;
}

/** A common title is found hundreds of times, and most of that is refused. */
const FIRST = 10;

function Part({ title, none, rows, onTake }: PartProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <section aria-label={title}>
      <h4 className="px-4 font-medium">{title}</h4>
      {rows.length === 0 ? (
        <p className="px-4 text-sm text-soft">{none}</p>
      ) : (
        <ReleaseTable rows={isWhole ? rows : rows.slice(0, FIRST)} onTake={onTake} />
      )}
      {isWhole || rows.length <= FIRST ? null : (
        <p className="px-4 py-2">
          <Button onClick={() => setWhole(true)}>{texts.all(rows.length)}</Button>
        </p>
      )}
    </section>
  );
}

/** Asks first where there is something to lose. */
function SearchAgain({ item, loss }: { readonly item: string; readonly loss: Loss }) {
  const [isDone, setDone] = useState(false);
  const deed = useDeed(() => setDone(true));
  const order = { path: mediaPaths.searchAgain(item) };
  return (
    <div className="space-y-1">
      {loss === "nothing" ? (
        <Button disabled={deed.isPending} onClick={() => deed.mutate(order)}>
          {texts.searchAgain}
        </Button>
      ) : (
        <AskFirst
          label={texts.searchAgain}
          title={texts.searchAgain}
          about={texts.searchAgainAbout[loss]}
          deed={order}
          isMild
          onDone={() => setDone(true)}
        />
      )}
      <p role="status" className="text-sm text-soft">
        {isDone ? texts.searching : ""}
      </p>
      <Wrong error={deed.error} />
    </div>
  );
}
