// One action on what is selected, or on all that the filter finds: looked at first, then begun, then watched.

import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { BulkOrdered } from "../../../../src/server/contract/wire.ts";
import { ask } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Failed } from "../../ui/panel.tsx";
import { problemOf } from "./filter-problem.ts";
import { meantBy, type Selection, select } from "./selection.ts";
import { WHOLE } from "./views.tsx";

const texts = words.work.bulk;
const ACTIONS = ["retry", "cancel", "take-back"] as const;
type Action = (typeof ACTIONS)[number];

interface Order {
  readonly action: Action;
  readonly filter: string;
}

interface Props {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

export function BulkBar({ selection, onSelect }: Props) {
  const { filter, ids, isAll } = selection;
  const [order, setOrder] = useState<Order>();
  if (ids.size === 0) return null;
  const meant = meantBy(selection);
  // More than can be asked for at once.
  const problem = problemOf(meant);
  return (
    <section
      aria-label={texts.label}
      className="sticky bottom-3 z-30 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel p-2.5 shadow-lg max-sm:bottom-17"
    >
      <p className="px-1 font-medium">{isAll ? texts.allMatching : texts.selected(ids.size)}</p>
      {filter === WHOLE || isAll ? null : (
        <Button kind="quiet" onClick={() => onSelect({ ...selection, isAll: true })}>
          {texts.allMatching}
        </Button>
      )}
      <p role="status" className="grow text-sm text-failed">
        {problem === undefined ? "" : texts.tooMany(problem.sentence)}
      </p>
      {ACTIONS.map((action) => (
        <Button key={action} disabled={problem !== undefined} onClick={() => setOrder({ action, filter: meant })}>
          {texts[action]}
        </Button>
      ))}
      <Button kind="quiet" onClick={() => onSelect(select(filter))}>
        {texts.none}
      </Button>
      <Modal
        title={order === undefined ? "" : texts[order.action]}
        isOpen={order !== undefined}
        onClose={() => setOrder(undefined)}
      >
        {order === undefined ? null : <Look order={order} />}
      </Modal>
    </section>
  );
}

/** What would come of it, before anything does. */
function Look({ order: { action, filter } }: { readonly order: Order }) {
  const navigate = useNavigate();
  const body = { action: { type: action }, filter };
  const look = useQuery({
    queryKey: ["bulk-preview", action, filter],
    queryFn: ({ signal }) => ask<BulkOrdered>("/api/v1/bulk?dryRun=true", { method: "POST", body, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const begin = useDeed<BulkOrdered>(
    ({ operation }) =>
      void navigate({
        to: "/activity",
        search: { tab: "bulk", ...(operation === null ? {} : { operation: operation.id }) },
      }),
  );
  const preview = look.isError ? null : (look.data?.preview ?? null);
  if (preview === null)
    return (
      <div className="space-y-3">
        {look.isError ? (
          <Failed error={look.error} what={texts.label} again={() => void look.refetch()} />
        ) : (
          <p role="status">{texts.looking}</p>
        )}
        <div className="flex justify-end">
          <Dialog.Close render={<Button>{words.back}</Button>} />
        </div>
      </div>
    );
  const refused = preview.refused.reduce((sum, { items }) => sum + items, 0);
  return (
    <div className="space-y-3">
      <p>
        {texts.matched(preview.matched)} {preview.would === 0 ? texts.nothing : texts.would[action](preview.would)}
      </p>
      {refused === 0 ? null : (
        <div>
          <p>{texts.cannot(refused)}</p>
          <ul className="list-disc pl-6">
            {preview.refused.map(({ reason, items }) => (
              <li key={reason}>
                {count(items)}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {begin.isError ? (
        <p role="alert" className="text-failed">
          {begin.error.message}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Dialog.Close render={<Button>{words.back}</Button>} />
        <Button
          kind={action === "cancel" ? "danger" : "main"}
          disabled={preview.would === 0 || begin.isPending}
          onClick={() => begin.mutate({ path: "/api/v1/bulk", body: { ...body, expected: preview.matched } })}
        >
          {texts.go[action](preview.would)}
        </Button>
      </div>
    </div>
  );
}
