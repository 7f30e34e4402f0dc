import { Link } from "@tanstack/react-router";
import type { Valve } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

/** What somebody stopped: amber, never red, and never forgotten. */
export function Held({ closed }: { readonly closed: readonly Valve[] }) {
  if (closed.length === 0) return null;
  return (
    <Panel title={words.overview.held} className="bg-waiting-soft">
      <ul className="space-y-1 px-4 pb-3">
        {closed.map(({ kind, pipeline, version, stage, since, note }) => (
          <li key={`${kind} ${pipeline} ${version} ${stage}`}>
            <Link to="/pipelines" search={pipeline === null ? {} : { pipeline }} className="font-medium underline">
              {[pipeline ?? words.pipelines.everything, version, stage].filter((part) => part !== null).join(" · ")}
            </Link>{" "}
            {kind === "switch" ? words.pipelines.off : words.pipelines.held} <Ago at={since} className="text-soft" />
            {note === null ? "" : ` · ${note}`}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
