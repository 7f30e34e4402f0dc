// What is being uploaded, file by file: how much of it has gone, and then what came of it.

import { Link } from "@tanstack/react-router";
import { ArrowUpFromLine, Check, CircleAlert, CircleX, Clock, Copy, LoaderCircle, RotateCcw, X } from "lucide-react";
import { bytes } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/time.tsx";
import type { Uploader, Uploads } from "./uploader.ts";
import { canAgain, isOpen, type Phase, tally, type Upload } from "./uploads.ts";

const texts = words.documents.uploads;

const LOOKS = {
  waiting: { icon: Clock, colour: "text-queued" },
  sending: { icon: ArrowUpFromLine, colour: "text-running" },
  checking: { icon: LoaderCircle, colour: "text-running" },
  taken: { icon: Check, colour: "text-done" },
  deduped: { icon: Copy, colour: "text-done" },
  refused: { icon: CircleX, colour: "text-failed" },
  failed: { icon: CircleAlert, colour: "text-failed" },
  stopped: { icon: X, colour: "text-cancelled" },
} satisfies Record<Phase, unknown>;

interface Props {
  readonly uploader: Uploader;
  readonly uploads: Uploads["all"];
  readonly held: Uploads["held"];
}

export function UploadList({ uploader, uploads, held }: Props) {
  if (uploads.length === 0) return null;
  return (
    <section aria-label={texts.title} className="space-y-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="grow text-sm">
          {tally(uploads)}
        </p>
        {uploads.some(isOpen) ? <Button onClick={() => uploader.stop()}>{texts.stop}</Button> : null}
        {uploads.some(canAgain) ? <Button onClick={() => uploader.again()}>{texts.againAll}</Button> : null}
        {uploads.every(isOpen) ? null : (
          <Button kind="quiet" onClick={() => uploader.clear()}>
            {texts.clear}
          </Button>
        )}
      </div>
      {held === null ? null : <Held held={held} />}
      {/* Hundreds may be dropped at once; the documents below stay within reach. */}
      <section aria-label={texts.what} tabIndex={uploads.length > 5 ? 0 : -1} className="max-h-80 overflow-y-auto">
        <ul className="divide-y divide-line">
          {uploads.map((one) => (
            <Line key={one.key} upload={one} uploader={uploader} />
          ))}
        </ul>
      </section>
    </section>
  );
}

function Held({ held: { until, sentence } }: { readonly held: NonNullable<Uploads["held"]> }) {
  return (
    <div className="rounded-md bg-waiting-soft px-3 py-2 text-sm">
      <p role="alert" dir="auto">
        {sentence}
      </p>
      <p>
        {texts.held} <Countdown until={until} />, {texts.heldBy}
      </p>
    </div>
  );
}

function Line({ upload, uploader }: { readonly upload: Upload; readonly uploader: Uploader }) {
  const { key, name, file, phase, sent, sentence, advice, document } = upload;
  const { icon: Icon, colour } = LOOKS[phase];
  return (
    <li className="flex items-start gap-3 py-2">
      <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${colour}`} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="font-medium" dir="auto">
            {name}
          </span>
          {file === null ? null : <span className="text-sm text-soft">{bytes(file.size)}</span>}
          <span className={`text-sm ${colour}`}>{texts.phases[phase]}</span>
          {phase === "sending" ? <Bar value={sent * 100} label={texts.sent(name)} /> : null}
        </p>
        {sentence === null ? null : (
          <p className="text-sm" dir="auto">
            {sentence} {advice === null ? null : <span className="text-soft">{advice}</span>}
          </p>
        )}
      </div>
      {document === null ? null : (
        <Link
          to="/documents/$id"
          params={{ id: document }}
          aria-label={texts.openOf(name)}
          className="inline-flex min-h-9 items-center text-sm underline max-sm:min-h-11"
        >
          {texts.open}
        </Link>
      )}
      {phase === "waiting" ? (
        <Button kind="quiet" aria-label={texts.remove(name)} onClick={() => uploader.remove(key)}>
          <X aria-hidden className="size-4" />
        </Button>
      ) : null}
      {canAgain(upload) ? (
        <Button kind="quiet" aria-label={texts.again(name)} onClick={() => uploader.again(key)}>
          <RotateCcw aria-hidden className="size-4" />
        </Button>
      ) : null}
    </li>
  );
}
