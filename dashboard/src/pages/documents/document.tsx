// One document: how it stands and why, what came of it, and what one can do.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { DocumentView } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { documentQueries } from "../../api/documents.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Failed, Loaded, NotThere, Panel } from "../../ui/panel.tsx";
import { At, Countdown } from "../../ui/time.tsx";
import { Actions } from "./actions.tsx";
import { Banner } from "./banner.tsx";
import { Events } from "./events.tsx";
import { Facts } from "./facts.tsx";
import { StatusMark } from "./mark.tsx";
import { Preview } from "./preview.tsx";

const texts = words.documents;
const route = getRouteApi("/inside/documents/$id");

export function Document() {
  const { id } = route.useParams();
  const query = useQuery(documentQueries.one(id));
  if (query.error instanceof Refusal && query.error.status === 404)
    return <NotThere name={id} text={texts.one.noSuch(id)} />;
  if (query.data === undefined && query.isError)
    return <Failed error={query.error} what={id} again={() => void query.refetch()} />;
  return (
    <Loaded query={query} what={id}>
      {(found) => (
        <div className="space-y-5">
          <Banner />
          <Head document={found} />
          <Wrong document={found} />
          <Preview document={found} />
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <Facts document={found} />
            <Events id={found.id} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Head({ document: found }: { readonly document: DocumentView }) {
  const { name, status, progress, sentence, retryAfter, expiredAt } = found;
  return (
    <header className="space-y-2">
      <p className="text-sm">
        <Link to="/documents" className="underline">
          {texts.page}
        </Link>
      </p>
      <h1 className="line-clamp-3 text-2xl font-semibold" dir="auto">
        {name}
      </h1>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <StatusMark status={status} />
        {status === "processing" ? <Bar value={progress} label={texts.progress(name)} /> : null}
        {status === "queued" && retryAfter !== null ? (
          <span className="text-sm">
            {texts.againIn} <Countdown until={retryAfter} />
          </span>
        ) : null}
        {status === "expired" && expiredAt !== null ? (
          <span className="text-sm">
            {texts.expiredAt} <At at={expiredAt} />
          </span>
        ) : null}
      </p>
      <p className="text-lg" aria-live="polite" dir="auto">
        {sentence}
      </p>
      <Actions document={found} />
    </header>
  );
}

/** What ended it; or, while it is tried again, what went wrong last. */
function Wrong({ document: { status, error, sentence } }: { readonly document: DocumentView }) {
  if (error === null) return null;
  return (
    <Panel title={status === "failed" ? texts.one.wrong : texts.one.wrongBefore}>
      <div className="space-y-1 px-4 pb-4">
        {error.sentence === sentence ? null : <p dir="auto">{error.sentence}</p>}
        <p dir="auto">
          <span className="text-soft">{texts.one.advice}</span> {error.advice}
        </p>
        <p className="font-mono text-xs text-soft">{error.code}</p>
      </div>
    </Panel>
  );
}
