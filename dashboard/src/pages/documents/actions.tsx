// What one can do with a document now. What one cannot do is there too, with the reason beside it.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download, RotateCcw } from "lucide-react";
import { useId } from "react";
import type { DocumentView } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { documentPaths } from "../../api/documents.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.documents.one;

export function Actions({ document: found }: { readonly document: DocumentView }) {
  const { data: me } = useQuery(queries.me());
  const navigate = useNavigate();
  const { id, name, result } = found;
  const mayAct = me !== undefined && me.role !== "viewer";
  return (
    <div className="flex flex-wrap items-start gap-2">
      {result === null ? null : (
        <a href={documentPaths.download(id)} download className={buttonLook("main")}>
          <Download aria-hidden className="size-4" /> {texts.download}
        </a>
      )}
      {mayAct ? (
        <>
          <Retry document={found} />
          <AskFirst
            label={texts.remove}
            title={texts.removeTitle(name)}
            about={texts.removeAbout}
            deed={{ path: documentPaths.one(id), method: "DELETE" }}
            onDone={() => void navigate({ to: "/documents" })}
          />
        </>
      ) : (
        <p className="py-1.5 text-sm text-soft">{texts.viewer}</p>
      )}
    </div>
  );
}

/** Not disabled in the browser's own way: it can be reached, and then its reason is read out. */
function Retry({ document: { id, status, canRetry, retryRefusal } }: { readonly document: DocumentView }) {
  const reason = useId();
  const deed = useDeed();
  const isHeld = !canRetry || deed.isPending;
  return (
    <>
      <Button
        aria-disabled={isHeld}
        aria-describedby={reason}
        className={isHeld ? "cursor-not-allowed!" : ""}
        onClick={() => (isHeld ? undefined : deed.mutate({ path: documentPaths.retry(id) }))}
      >
        <RotateCcw aria-hidden className="size-4" /> {texts.retry}
      </Button>
      <div className="order-last w-full text-sm text-soft">
        <p id={reason} className="first-letter:uppercase" dir="auto">
          {canRetry ? "" : retryRefusal}
        </p>
        <p role="status">{deed.isSuccess && status === "queued" ? texts.retrying : ""}</p>
        <Wrong error={deed.error} />
      </div>
    </>
  );
}
