import type { UseQueryResult } from "@tanstack/react-query";
import type { Trends } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";

const texts = words.overview.week;

export function Week({ query }: { readonly query: UseQueryResult<Trends, Error> }) {
  return (
    <Panel title={texts.title}>
      <Loaded query={query} what={texts.title}>
        {({ week }) => (
          <ul className="flex flex-wrap gap-x-6 gap-y-1 px-4 pb-4">
            {linesOf(week).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function linesOf({ done, failureRate, took, stalls, breakerOpenings, checkpointResumes }: Trends["week"]): string[] {
  return [
    texts.done(done),
    ...(failureRate === null ? [] : [texts.failed(failureRate)]),
    ...(took === null ? [] : [texts.took(took.p50Ms, took.p90Ms)]),
    ...some(stalls, texts.stalls),
    ...some(breakerOpenings, texts.openings),
    ...some(checkpointResumes, texts.resumes),
  ];
}

/** What did not happen is not worth a word. */
const some = (times: number | null, text: (times: number) => string) =>
  times === null || times === 0 ? [] : [text(times)];
