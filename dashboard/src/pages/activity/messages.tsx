import type { Delivery } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { At, Countdown } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.activity;

/** What was told to whom, and what they said. */
export function Messages() {
  const query = usePages<Delivery>(["deliveries"], "/api/v1/deliveries");
  return (
    <Loaded query={query} what={texts.tabs.messages}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty>{texts.none.messages}</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel text-sm">
              {entries.map((delivery) => (
                <Line key={delivery.id} delivery={delivery} />
              ))}
            </ul>
            <Older pages={query} />
          </>
        )
      }
    </Loaded>
  );
}

function Line({ delivery }: { readonly delivery: Delivery }) {
  const { id, title, kind, channel, state, createdAt, tries, status, code, answer, nextTryAt } = delivery;
  const again = useDeed();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <At at={createdAt} className="text-soft tabular-nums" />
      <span className="font-medium" dir="auto">
        {title}
      </span>
      <span className="text-soft">
        {texts.kinds[kind]} → {channel}
      </span>
      <span className={state === "sent" ? "text-done" : state === "given-up" ? "text-failed" : "text-waiting"}>
        {texts.deliveryStates[state]}
      </span>
      <span className="text-soft">
        {texts.tries(tries)} {status ?? ""} {code ?? ""}
      </span>
      {state === "sent" ? null : <span dir="auto">{answer}</span>}
      {nextTryAt === null ? null : (
        <span className="text-soft">
          {texts.nextTry} <Countdown until={nextTryAt} />
        </span>
      )}
      <span className="grow" />
      <Button
        disabled={again.isPending}
        onClick={() => again.mutate({ path: `/api/v1/deliveries/${enc(id)}/redeliver` })}
      >
        {texts.redeliver}
      </Button>
      <Wrong error={again.error} />
    </li>
  );
}
