// Doing an item again from a stage on: first what would be kept and what done again, then the deed.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Acted, PossibleActions } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Choice } from "../../ui/field.tsx";
import { OrderForm, type OrderProps } from "./order-form.tsx";
import { type As, firstOf } from "./replay-ways.ts";

const texts = words.item.replay;
type Way = PossibleActions["replay"][number];

export function Replay({ possible: { item, replay }, onDone }: OrderProps) {
  const navigate = useNavigate();
  const [{ from, as }, setChoice] = useState(firstOf(replay));
  const deed = useDeed<Acted>(({ copy }) => {
    onDone();
    if (copy !== null) void navigate({ to: "/items/$id", params: { id: copy.item } });
  });
  const way = replay.find((one) => one.from === from);
  return (
    <OrderForm
      go={texts.go}
      isReady={way?.[as].can === true && !deed.isPending}
      error={deed.error}
      onGiven={() => deed.mutate({ path: `/api/v1/items/${enc(item)}/replay`, body: { from, as } })}
    >
      <Choice
        label={texts.from}
        value={from}
        onChange={({ target }) => setChoice({ from: target.value, as })}
        options={replay.map((one) => ({ value: one.from, label: one.from }))}
      />
      <Choice
        label={texts.as}
        value={as}
        onChange={({ target }) => setChoice({ from, as: target.value === "copy" ? "copy" : "same" })}
        options={[
          { value: "same", label: texts.same },
          { value: "copy", label: texts.copy },
        ]}
      />
      {way === undefined ? null : <Would way={way} as={as} />}
    </OrderForm>
  );
}

function Would({ way, as }: { readonly way: Way; readonly as: As }) {
  if (!way[as].can) return <p className="text-failed">{way[as].reason}</p>;
  return (
    <dl aria-live="polite" className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt className="text-soft">{texts.keeps}</dt>
      <dd>{way.keeps.join(", ") || texts.nothing}</dd>
      <dt className="text-soft">{texts.redoes}</dt>
      <dd>{way.redoes.join(", ") || texts.nothing}</dd>
    </dl>
  );
}
