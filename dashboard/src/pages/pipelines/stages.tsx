import type { Pipeline, Valve } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { length, short } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { CountLink } from "../../ui/count-link.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Toggle } from "../../ui/toggle.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { openingOf, switchesOf } from "./closed.ts";

const texts = words.pipelines;
type Stage = Pipeline["versions"][number]["stages"][number];

interface Props {
  readonly pipeline: string;
  readonly version: number;
  /** What is switched off then is the stage, whatever version comes. */
  readonly isOnly: boolean;
  readonly stages: readonly Stage[];
  readonly closed: readonly Valve[];
  readonly isAdmin: boolean;
}

export function Stages(props: Props) {
  const { pipeline, version, stages } = props;
  const { columns } = texts;
  const filter = (stage: string, states: string, more = "") =>
    `pipeline:${pipeline} version:${version} stage:${stage} state:${states}${more}`;
  const counted = (label: string, items: (stage: Stage) => number, states: string, more = ""): Column<Stage> => ({
    label,
    isNumber: true,
    cell: (stage) => (
      <CountLink items={items(stage)} isMore={more === "" && stage.isMore} filter={filter(stage.name, states, more)} />
    ),
  });
  return (
    <Table
      rows={stages}
      keyOf={({ name }) => name}
      columns={[
        { label: columns.stage, cell: ({ name }) => name },
        { label: columns.switch, cell: (stage) => <StageSwitch {...props} stage={stage} /> },
        counted(columns.queued, (stage) => stage.queued, "queued"),
        counted(columns.running, (stage) => stage.running, "running"),
        counted(columns.waiting, (stage) => stage.waiting + stage.needsYou, "waiting,needs-you"),
        { label: columns.faults, isNumber: true, cell: ({ lastDay }) => short(lastDay.faults) },
        counted(columns.failed, (stage) => stage.lastDay.failed, "failed", " kind:item age:<1d"),
        { label: columns.work, isNumber: true, cell: ({ work }) => lengths(work) },
        { label: columns.stay, isNumber: true, cell: ({ stay }) => lengths(stay) },
      ]}
    />
  );
}

const lengths = (of: Stage["work"]) => (of === null ? words.none : `${length(of.p50Ms)} / ${length(of.p90Ms)}`);

function StageSwitch({
  pipeline,
  version,
  isOnly,
  stage: { name, switch: flow },
  closed,
  isAdmin,
}: Props & { readonly stage: Stage }) {
  const deed = useDeed();
  if (!isAdmin) return <span className={flow === "on" ? "" : "font-medium text-waiting"}>{texts.flows[flow]}</span>;
  const off = { pipeline, stage: name, on: false, ...(isOnly ? {} : { version }) };
  const turn = async (on: boolean) => {
    const deeds = on
      ? switchesOf(closed, pipeline, version, name).map(openingOf)
      : [{ path: "/api/v1/switches", method: "PUT" as const, body: off }];
    for (const one of deeds) await deed.mutateAsync(one);
  };
  return (
    <>
      <Toggle
        label={isOnly ? texts.switch(name) : `${texts.version(version)}: ${texts.switch(name)}`}
        isOn={flow === "on"}
        word={texts.flows[flow]}
        isDisabled={deed.isPending}
        // What goes wrong is shown below.
        onTurn={(on) => void turn(on).catch(() => undefined)}
      />
      <Wrong error={deed.error} />
    </>
  );
}
