import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Alert } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { serverNow } from "../../api/server-clock.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { useChosen } from "../../ui/chosen.ts";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Ago, At } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.activity;
const DAY_MS = 86_400_000;

export function Alerts({ isAdmin }: { readonly isAdmin: boolean }) {
  const [isAll, setAll] = useChosen("state", "all");
  const state = isAll ? "all" : "open";
  const query = usePages<Alert>(["alerts", state], `/api/v1/alerts?state=${state}`);
  return (
    <div className="space-y-3">
      <Button kind="quiet" onClick={() => setAll(!isAll)}>
        {isAll ? texts.openOnly : texts.resolvedToo}
      </Button>
      <Loaded query={query} what={texts.tabs.alerts}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none.alerts}</Empty>
          ) : (
            <>
              <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
                {entries.map((alert) => (
                  <Line key={alert.id} alert={alert} isAdmin={isAdmin} />
                ))}
              </ul>
              <Older pages={query} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Line({ alert, isAdmin }: { readonly alert: Alert; readonly isAdmin: boolean }) {
  const { id, state, title, sentence, byItself, since, resolvedAt, snoozedUntil } = alert;
  const deed = useDeed();
  const isOpen = state === "open";
  const snooze = (until: string | null) => deed.mutate({ path: `/api/v1/alerts/${enc(id)}/snooze`, body: { until } });
  return (
    <li className="flex gap-3 px-4 py-3">
      {isOpen ? (
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-failed" />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-done" />
      )}
      <div className="min-w-0 grow">
        <h2 className="font-semibold">{title}</h2>
        <p dir="auto">{sentence}</p>
        <p className="text-sm text-soft">{byItself}</p>
        <p className="text-sm text-soft">
          {texts.opened} <At at={since} />
          {resolvedAt === null ? null : (
            <>
              , {texts.over} <Ago at={resolvedAt} />
            </>
          )}
          {snoozedUntil === null ? null : (
            <>
              {" "}
              · {texts.snoozed} <At at={snoozedUntil} />
            </>
          )}
        </p>
        <Wrong error={deed.error} />
      </div>
      {isAdmin && isOpen ? (
        <Button
          className="self-start"
          disabled={deed.isPending}
          onClick={() => snooze(snoozedUntil === null ? new Date(serverNow() + DAY_MS).toISOString() : null)}
        >
          {snoozedUntil === null ? texts.snooze : texts.wake}
        </Button>
      ) : null}
    </li>
  );
}
