// The documents, newest first. Those that are complete can be chosen, to be had as one zip.

import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import type { DocumentView } from "../../../../src/server/contract/wire.ts";
import { documentPaths } from "../../api/documents.ts";
import { bytes, count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { buttonLook } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Ago, Countdown } from "../../ui/time.tsx";
import { Bulk } from "./bulk.tsx";
import { StatusMark } from "./mark.tsx";
import type { Shown } from "./shown.ts";

const texts = words.documents;

interface Props {
  readonly documents: readonly DocumentView[];
  readonly shown: Shown;
}

export function DocumentsTable({ documents, shown }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const ready = documents.filter(({ result }) => result !== null).map(({ id }) => id);
  // What has expired since, or was deleted, is chosen no more.
  const chosen = ready.filter((id) => ticked.has(id));
  const turn = (ids: readonly string[], isIn: boolean) =>
    setTicked(new Set(isIn ? [...chosen, ...ids] : chosen.filter((id) => !ids.includes(id))));
  const name: Column<DocumentView> = {
    label: texts.columns.name,
    cell: (one) => <Name document={one} isChosen={ticked.has(one.id)} onTurn={(isIn) => turn([one.id], isIn)} />,
  };
  return (
    <>
      <Bulk ready={ready} chosen={chosen} shown={shown} onTurn={turn} />
      <Table
        rows={documents}
        keyOf={({ id }) => id}
        columns={[name, ...REST.filter(({ label }) => label !== texts.columns.owner || shown.role !== "member")]}
      />
    </>
  );
}

const REST: readonly Column<DocumentView>[] = [
  { label: texts.columns.state, isWide: true, cell: (one) => <Standing document={one} /> },
  {
    label: texts.columns.size,
    isNumber: true,
    cell: (one) => <span className="whitespace-nowrap">{bytes(one.bytes)}</span>,
  },
  { label: texts.columns.pages, isNumber: true, cell: ({ pages }) => (pages === null ? words.none : count(pages)) },
  { label: texts.columns.uploaded, cell: ({ createdAt }) => <Ago at={createdAt} className="sm:whitespace-nowrap" /> },
  {
    label: texts.columns.owner,
    cell: ({ owner }) => (
      <span className="block min-w-20" dir="auto">
        {owner ?? words.none}
      </span>
    ),
  },
  { label: texts.columns.download, isAction: true, cell: (one) => <DownloadLink document={one} /> },
];

interface NameProps {
  readonly document: DocumentView;
  readonly isChosen: boolean;
  readonly onTurn: (isIn: boolean) => void;
}

function Name({ document: { id, name, result }, isChosen, onTurn }: NameProps) {
  return (
    <span className="flex min-w-48 items-start gap-2.5">
      <input
        type="checkbox"
        aria-label={texts.select(name)}
        disabled={result === null}
        checked={isChosen && result !== null}
        onChange={({ target }) => onTurn(target.checked)}
        className="mt-1 size-4 shrink-0 disabled:opacity-40 max-sm:size-5"
      />
      <Link
        to="/documents/$id"
        params={{ id }}
        className="line-clamp-2 min-w-0 underline decoration-line underline-offset-4 hover:decoration-ink"
        dir="auto"
      >
        {name}
      </Link>
    </span>
  );
}

/** What is complete says no more than that; everything else says why. */
function Standing({ document: one }: { readonly document: DocumentView }) {
  const { name, status, progress, sentence, retryAfter } = one;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3">
        <StatusMark status={status} />
        {status === "processing" ? <Bar value={progress} label={texts.progress(name)} /> : null}
        {status === "queued" && retryAfter !== null ? (
          <span className="text-sm text-soft">
            {texts.againIn} <Countdown until={retryAfter} />
          </span>
        ) : null}
      </span>
      {status === "complete" ? null : (
        <span className="line-clamp-4 max-w-prose text-sm text-soft" dir="auto">
          {sentence}
        </span>
      )}
    </>
  );
}

function DownloadLink({ document: { id, name, result } }: { readonly document: DocumentView }) {
  if (result === null) return null;
  return (
    <a href={documentPaths.download(id)} download aria-label={texts.download(name)} className={buttonLook("plain")}>
      <Download aria-hidden className="size-4" /> {texts.xml}
    </a>
  );
}
