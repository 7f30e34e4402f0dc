// Handing in PDFs: dropped, chosen, or fetched by the server. What may be uploaded stands there before anybody does.

import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type ChangeEvent, useState } from "react";
import type { DocumentAbout } from "../../../../src/server/contract/wire.ts";
import { documentQueries } from "../../api/documents.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Choice } from "../../ui/field.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { ByUrl } from "./by-url.tsx";
import { useDrop } from "./drop.ts";
import { useUploader } from "./own-uploader.ts";
import { UploadList } from "./upload-list.tsx";
import type { Given } from "./uploads.ts";

const texts = words.documents.upload;

export function UploadPanel() {
  const { data: me } = useQuery(queries.me());
  const about = useQuery(documentQueries.about());
  if (me === undefined) return null;
  return (
    <Panel title={texts.title}>
      {me.role === "viewer" ? (
        <Empty>{texts.viewer}</Empty>
      ) : (
        <Loaded query={about} what={texts.title}>
          {(known) => <Ways about={known} />}
        </Loaded>
      )}
    </Panel>
  );
}

function Ways({ about: { mappings, limits, uploadRefusal } }: { readonly about: DocumentAbout }) {
  const { uploader, all, held } = useUploader();
  const [chosen, setChosen] = useState<string>();
  const mapping = mappings.find((one) => one === chosen) ?? mappings[0] ?? "";
  const isOpen = uploadRefusal === null;
  const take = (given: readonly Given[]) => uploader.add(given, mapping, limits);
  return (
    <div className="space-y-3 px-4 pb-4">
      {isOpen ? null : (
        <p role="status" className="rounded-md border border-failed/50 bg-failed-soft px-3 py-2 font-medium" dir="auto">
          {uploadRefusal}
        </p>
      )}
      <Zone isOpen={isOpen} onFiles={take} limits={limits} />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        {mappings.length < 2 ? null : (
          <div className="min-w-48">
            <Choice
              label={texts.mapping}
              value={mapping}
              disabled={!isOpen}
              onChange={({ target }) => setChosen(target.value)}
              options={mappings.map((name) => ({ value: name, label: name }))}
            />
          </div>
        )}
        <ByUrl isOpen={isOpen} onUrls={(urls) => take(urls.map((url) => ({ file: null, url })))} />
      </div>
      <UploadList uploader={uploader} uploads={all} held={held} />
    </div>
  );
}

interface ZoneProps {
  readonly isOpen: boolean;
  readonly onFiles: (given: readonly Given[]) => void;
  readonly limits: DocumentAbout["limits"];
}

function Zone({ isOpen, onFiles, limits }: ZoneProps) {
  const isOver = useDrop(isOpen ? onFiles : undefined);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])].map((file) => ({ file, isFolder: false })));
    // The same file can be chosen once more.
    target.value = "";
  };
  const { fileBytes, files, uploadsPerMinute, keepSourcesMs, keepResultsMs } = limits;
  return (
    <div
      className={`rounded-lg border-2 border-dashed px-4 py-6 text-center ${isOver ? "border-accent bg-sunk" : "border-edge/60"}`}
    >
      <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2">
        <FileUp aria-hidden className="size-6 text-soft" />
        <span className={isOpen ? "max-sm:hidden" : "hidden"}>{isOver ? texts.over : texts.drop}</span>
        <label
          className={`${buttonLook("main")} cursor-pointer has-disabled:cursor-default has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
        >
          {texts.choose}
          <input
            type="file"
            multiple
            accept="application/pdf,.pdf"
            disabled={!isOpen}
            onChange={choose}
            className="sr-only"
          />
        </label>
      </p>
      <p className="mt-3 text-sm text-soft">{texts.limits(fileBytes, files, uploadsPerMinute)}</p>
      <p className="text-sm text-soft">{texts.kept(keepSourcesMs, keepResultsMs)}</p>
    </div>
  );
}
