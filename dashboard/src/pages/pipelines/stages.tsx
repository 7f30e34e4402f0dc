import { Switch } from "@base-ui/react/switch";
import type { Pipeline } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { length, short } from "../../text/format.ts";
import { type State, words } from "../../text/words.ts";
import { CountLink } from "../../ui/count-link.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const texts = words.pipelines;
type Stage = Pipeline["versions"][number]["stages"][number];

interface Props {
  readonly pipeline: string;
  readonly version: number;
  readonly stages: readonly Stage[];
  readonly isAdmin: boolean;
}

export function Stages({ pipeline, version, stages, isAdmin }: Props) {
  const { columns } = texts;
  const filter = (stage: string, state: State, more = "") =>
    `pipeline:${pipeline} version:${version} stage:${stage} state:${state}${more}`;
  const counted = (label: string, items: (stage: Stage) => number, state: State, more = ""): Column<Stage> => ({
    label,
    isNumber: true,
    cell: (stage) => (
      <CountLink items={items(stage)} isMore={more === "" && stage.isMore} filter={filter(stage.name, state, more)} />
    ),
  });
  return (
    <Table
      rows={stages}
      keyOf={({ name }) => name}
      columns={[
        { label: columns.stage, cell: ({ name }) => name },
        { label: columns.switch, cell: (stage) => <StageSwitch pipeline={pipeline} stage={stage} isAdmin={isAdmin} /> },
        counted(columns.queued, (stage) => stage.queued, "queued"),
        counted(columns.running, (stage) => stage.running, "running"),
        counted(columns.waiting, (stage) => stage.waiting + stage.needsYou, "waiting"),
        { label: columns.faults, isNumber: true, cell: ({ lastDay }) => short(lastDay.faults) },
        counted(columns.failed, (stage) => stage.lastDay.failed, "failed", " age:<1d"),
        { label: columns.work, isNumber: true, cell: ({ work }) => lengths(work) },
        { label: columns.stay, isNumber: true, cell: ({ stay }) => lengths(stay) },
      ]}
    />
  );
}

const lengths = (of: Stage["work"]) => (of === null ? words.none : `${length(of.p50Ms)} / ${length(of.p90Ms)}`);

function StageSwitch({
  pipeline,
  stage: { name, switch: flow },
  isAdmin,
}: {
  readonly pipeline: string;
  readonly stage: Stage;
  readonly isAdmin: boolean;
}) {
  const deed = useDeed();
  const turn = (on: boolean) =>
    deed.mutate({ path: "/api/v1/switches", method: "PUT", body: { pipeline, stage: name, on } });
  return (
    <span className="inline-flex items-center gap-2">
      <Switch.Root
        checked={flow === "on"}
        disabled={!isAdmin || deed.isPending}
        onCheckedChange={turn}
        aria-label={texts.switch(name)}
        title={isAdmin ? undefined : texts.onlyAdmins}
        className="inline-flex h-5 w-9 items-center rounded-full border border-soft bg-sunk p-0.5 data-checked:border-transparent data-checked:bg-done disabled:opacity-70"
      >
        <Switch.Thumb className="block size-3.5 rounded-full bg-soft transition-transform data-checked:translate-x-4 data-checked:bg-panel" />
      </Switch.Root>
      <span className={flow === "on" ? "text-soft" : "font-medium text-waiting"}>{texts[flow]}</span>
      {deed.isError ? (
        <span role="alert" className="text-failed">
          {deed.error.message}
        </span>
      ) : null}
    </span>
  );
}
