// "Is everything all right, and if not, what first?"

import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { PipelinesTable } from "./pipelines-table.tsx";

export function Overview() {
  const overview = useQuery(queries.overview());
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.overview}</h1>
      <NeedsYou />
      <Panel title={words.pages.pipelines}>
        <Loaded query={overview} what={words.pages.pipelines}>
          {({ pipelines }) => <PipelinesTable pipelines={pipelines} />}
        </Loaded>
      </Panel>
    </div>
  );
}
