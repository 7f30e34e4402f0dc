// What one can do about an item; and what one cannot, with the reason in words. The server says both.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Item, PossibleActions } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Failed } from "../../ui/panel.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { Answer } from "./answer.tsx";
import { Cancel, Priority, Remove, Skip } from "./order.tsx";
import { Replay } from "./replay.tsx";

const texts = words.item.actions;
type Possible = PossibleActions["actions"][number];
type Name = Possible["action"];

/** Done by one press. What is answered stands by itself; what takes more is asked for. */
const PLAIN: ReadonlySet<Name> = new Set(["retry", "retry-parts", "take-back", "run-once", "resume"]);
const ASKED = { replay: Replay, skip: Skip, priority: Priority, cancel: Cancel, remove: Remove } as const;
type Asked = keyof typeof ASKED;
const isAsked = (name: Name): name is Asked => name in ASKED;

export function Actions({ item }: { readonly item: Item }) {
  const query = useQuery(queries.actions(item.id));
  const { data } = query;
  const deed = useDeed();
  const [asked, setAsked] = useState<Asked>();
  if (data === undefined)
    return (
      <div className="mt-3 min-h-9">
        <Answer item={item} />
        {query.isError ? <Failed error={query.error} what={texts.label} again={() => void query.refetch()} /> : null}
      </div>
    );
  const can = data.actions
    .filter((one) => one.can && (PLAIN.has(one.action) || isAsked(one.action)))
    .toSorted((one, other) => Number(isDanger(one.action)) - Number(isDanger(other.action)));
  const Order = asked === undefined ? undefined : ASKED[asked];
  const press = ({ action, path, body }: Possible) => {
    if (isAsked(action)) setAsked(action);
    else if (path !== null) deed.mutate(body === null ? { path } : { path, body });
  };
  return (
    <div className="mt-3 space-y-2">
      <Answer item={item} />
      <fieldset className="flex flex-wrap gap-2" disabled={deed.isPending}>
        <legend className="sr-only">{texts.label}</legend>
        {can.map((one) => (
          <Button key={one.action} kind={lookOf(one.action)} onClick={() => press(one)}>
            {texts.names[one.action]}
          </Button>
        ))}
      </fieldset>
      <Wrong error={deed.error} />
      <Cannot actions={data.actions} />
      <Modal
        title={asked === undefined ? "" : texts.names[asked]}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        {Order === undefined ? null : <Order possible={data} onDone={() => setAsked(undefined)} />}
      </Modal>
    </div>
  );
}

/** Not beside what one presses every day. */
const isDanger = (action: Name) => action === "cancel" || action === "remove";
const lookOf = (action: Name) => (action === "retry" ? "main" : isDanger(action) ? "danger" : "plain");

function Cannot({ actions }: { readonly actions: readonly Possible[] }) {
  const cannot = actions.filter(({ can, action }) => !can && action !== "hold" && action !== "resume");
  if (cannot.length === 0) return null;
  return (
    <details className="text-sm text-soft">
      <summary className="w-fit">{texts.cannot}</summary>
      <ul className="mt-1 list-disc space-y-0.5 pl-5">
        {cannot.map(({ action, reason }) => (
          <li key={action}>
            {texts.names[action]}: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
