// Many results at once, as one zip: those that were chosen, or the newest of all.

import { Archive } from "lucide-react";
import { documentPaths } from "../../api/documents.ts";
import { words } from "../../text/words.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import type { Shown } from "./shown.ts";

const texts = words.documents.bulk;
/** Their ids have to fit into an address. */
const MOST = 400;

interface Props {
  /** Those of the page that can be had. */
  readonly ready: readonly string[];
  readonly chosen: readonly string[];
  readonly shown: Shown;
  readonly onTurn: (ids: readonly string[], isIn: boolean) => void;
}

export function Bulk({ ready, chosen, shown: { owner }, onTurn }: Props) {
  if (ready.length === 0) return null;
  const isTooMany = chosen.length > MOST;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <label className="inline-flex min-h-9 items-center gap-2.5 text-sm max-sm:min-h-11">
        <input
          type="checkbox"
          checked={chosen.length === ready.length}
          onChange={({ target }) => onTurn(ready, target.checked)}
          className="size-4 max-sm:size-5"
        />
        {words.documents.selectAll}
      </label>
      <span className="grow" />
      {chosen.length === 0 ? (
        <a href={documentPaths.archive(owner)} download title={texts.allAbout} className={buttonLook("plain")}>
          <Archive aria-hidden className="size-4" /> {texts.all}
        </a>
      ) : (
        <>
          <Button kind="quiet" onClick={() => onTurn(ready, false)}>
            {texts.none}
          </Button>
          {isTooMany ? (
            <p className="text-sm text-waiting">{texts.many(MOST)}</p>
          ) : (
            <a href={documentPaths.archive(owner, chosen)} download className={buttonLook("main")}>
              <Archive aria-hidden className="size-4" /> {texts.some(chosen.length)}
            </a>
          )}
        </>
      )}
    </div>
  );
}
