// Doing an item again from a stage on: first what would be kept and what done again, then the deed.

import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Acted, Item } from "../../../../src/server/contract/wire.ts";
import { ask, enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/field.tsx";

const texts = words.item.replay;

interface Props {
  readonly item: Item;
  readonly stages: readonly string[];
  readonly onDone: () => void;
}

export function Replay({ item: { id }, stages, onDone }: Props) {
  const navigate = useNavigate();
  const [from, setFrom] = useState(stages[0] ?? "");
  const [as, setAs] = useState("same");
  const path = `/api/v1/items/${enc(id)}/replay`;
  const body = { from, as };
  const look = useQuery({
    queryKey: ["replay", id, from, as],
    queryFn: ({ signal }) => ask<Acted>(`${path}?dryRun=true`, { method: "POST", body, signal }),
    enabled: from !== "",
    gcTime: 0,
    retry: false,
  });
  const deed = useDeed<Acted>(({ copy }) => {
    onDone();
    if (copy !== null) void navigate({ to: "/items/$id", params: { id: copy.item } });
  });
  const would = look.data?.would ?? null;
  return (
    <div className="space-y-4">
      <Choice
        label={texts.from}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
        options={stages.map((stage) => ({ value: stage, label: stage }))}
      />
      <Choice
        label={texts.as}
        value={as}
        onChange={({ target }) => setAs(target.value)}
        options={[
          { value: "same", label: texts.same },
          { value: "copy", label: texts.copy },
        ]}
      />
      <div aria-live="polite" className="min-h-14">
        {would === null ? null : (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <dt className="text-soft">{texts.keeps}</dt>
            <dd>{would.keeps.join(", ") || texts.nothing}</dd>
            <dt className="text-soft">{texts.redoes}</dt>
            <dd>{would.redoes.join(", ") || texts.nothing}</dd>
          </dl>
        )}
        <p className="text-failed">{look.error?.message ?? deed.error?.message}</p>
      </div>
      <div className="flex justify-end gap-2">
        <Dialog.Close render={<Button>{texts.back}</Button>} />
        <Button kind="main" disabled={would === null || deed.isPending} onClick={() => deed.mutate({ path, body })}>
          {texts.go}
        </Button>
      </div>
    </div>
  );
}
