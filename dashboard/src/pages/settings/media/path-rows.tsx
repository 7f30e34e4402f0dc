// Folders by their two names: the client's, and ours.

import { X } from "lucide-react";
import { useState } from "react";
import type { ClientView } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";

const texts = words.settings.media.clients;
type Mapping = ClientView["paths"][number];

interface Row extends Mapping {
  /** Its own as long as the form is open, whatever is removed before it. */
  readonly id: number;
}

export function PathRows({ paths }: { readonly paths: readonly Mapping[] }) {
  const [rows, setRows] = useState<readonly Row[]>(paths.map((path, id) => ({ ...path, id })));
  const add = () => setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, theirs: "", ours: "" }]);
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{texts.paths}</legend>
      {rows.map(({ id, theirs, ours }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: it has a name, and needs no line around it
        <div key={id} role="group" aria-label={texts.pathOf(index + 1)} className="flex items-end gap-2">
          <div className="grid min-w-0 grow gap-2 sm:grid-cols-2">
            <TextField label={texts.theirs} name={`theirs.${id}`} required maxLength={1_000} defaultValue={theirs} />
            <TextField label={texts.ours} name={`ours.${id}`} required maxLength={1_000} defaultValue={ours} />
          </div>
          <Button
            kind="quiet"
            aria-label={texts.removePath(index + 1)}
            onClick={() => setRows(rows.filter((row) => row.id !== id))}
            className="min-h-10"
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      <Button onClick={add}>{texts.addPath}</Button>
    </fieldset>
  );
}
