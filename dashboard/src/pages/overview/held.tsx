import { Link } from "@tanstack/react-router";
import type { Valve } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Panel } from "../../ui/panel.tsx";
import { Lasting } from "../../ui/time.tsx";
import { keyOf, placeOf } from "../pipelines/closed.ts";

const texts = words.pipelines.closed;

/** What somebody stopped: amber, never red, and never forgotten. */
export function Held({ closed }: { readonly closed: readonly Valve[] }) {
  if (closed.length === 0) return null;
  return (
    <Panel title={texts.title} className="bg-waiting-soft">
      <ul className="space-y-1 px-4 pb-3">
        {closed.map((valve) => (
          <li key={keyOf(valve)}>
            <Link
              to="/pipelines"
              search={valve.pipeline === null ? {} : { pipeline: valve.pipeline }}
              className="font-medium underline"
            >
              {placeOf(valve)}
            </Link>{" "}
            {texts[valve.kind]} <Lasting since={valve.since} />
            {valve.note === null ? null : <span dir="auto"> · {valve.note}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
