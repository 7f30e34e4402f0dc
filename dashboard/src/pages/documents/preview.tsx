// The beginning of the XML. As text and never as anything else: whoever wrote the PDF wrote what stands in it.

import { useQuery } from "@tanstack/react-query";
import type { DocumentPreview, DocumentView } from "../../../../src/server/contract/wire.ts";
import { documentQueries } from "../../api/documents.ts";
import { words } from "../../text/words.ts";
import { useChosen } from "../../ui/chosen.ts";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";

const texts = words.documents.preview;

export function Preview({ document: { id, status, result } }: { readonly document: DocumentView }) {
  const [isWrapped, setWrapped] = useChosen("as", "wrapped");
  if (result === null)
    return (
      <Panel title={texts.title}>
        <Empty>{texts.without[status]}</Empty>
      </Panel>
    );
  return (
    <Panel title={texts.title} aside={<Wrap isOn={isWrapped} onTurn={setWrapped} />}>
      <Begun id={id} sha256={result.sha256} isWrapped={isWrapped} />
    </Panel>
  );
}

function Wrap({ isOn, onTurn }: { readonly isOn: boolean; readonly onTurn: (isOn: boolean) => void }) {
  return (
    <label className="inline-flex min-h-9 items-center gap-2 text-sm max-sm:min-h-11">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onTurn(target.checked)}
        className="size-4 max-sm:size-5"
      />
      {texts.wrap}
    </label>
  );
}

interface BegunProps {
  readonly id: string;
  readonly sha256: string;
  readonly isWrapped: boolean;
}

function Begun({ id, sha256, isWrapped }: BegunProps) {
  const query = useQuery(documentQueries.preview(id, sha256));
  return (
    <Loaded query={query} what={texts.title}>
      {(preview) => (
        <>
          <section
            aria-label={texts.title}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by the keyboard too
            tabIndex={0}
            className="max-h-[28rem] overflow-auto border-y border-line bg-sunk"
          >
            <pre
              className={`px-4 py-3 text-xs ${isWrapped ? "whitespace-pre-wrap wrap-anywhere" : "w-max min-w-full"}`}
            >
              <code>{preview.text}</code>
            </pre>
          </section>
          <p className="px-4 py-2.5 text-sm text-soft">{extent(preview)}</p>
        </>
      )}
    </Loaded>
  );
}

function extent({ text, bytes, isWhole }: DocumentPreview): string {
  return isWhole ? texts.whole(bytes) : texts.part(new TextEncoder().encode(text).byteLength, bytes);
}
