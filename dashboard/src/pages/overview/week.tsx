// What the last seven days came to: how long things took, how many failed, and how often they were saved from standing still, from a
// service that was down and from beginning again.

import type { UseQueryResult } from "@tanstack/react-query";
import type { Trends } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { figuresOf } from "./figures.ts";

const texts = words.overview.week;

interface Props {
  readonly title: string;
  readonly query: UseQueryResult<Trends, Error>;
}

export function Week({ title, query }: Props) {
  return (
    <Panel title={title}>
      <Loaded query={query} what={title}>
        {({ week }) => (
          <>
            <dl className="grid gap-x-6 gap-y-4 px-4 pb-4 sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]">
              {figuresOf(week).map(({ label, value, about }) => (
                <div key={label}>
                  <dt className="text-sm text-soft">{label}</dt>
                  <dd>
                    <span className="block text-xl font-semibold tabular-nums">{value}</span>
                    <span className="text-sm text-soft">{about}</span>
                  </dd>
                </div>
              ))}
            </dl>
            {week.stalls === null ? <p className="px-4 pb-4 text-sm text-soft">{texts.notYours}</p> : null}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
