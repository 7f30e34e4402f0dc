// Which servers get it, as what, and what happens where one of them fails.

import { useQuery } from "@tanstack/react-query";
import type { TargetChoice } from "../../../../src/server/contract/wire.ts";
import { mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { Choice } from "../../ui/field.tsx";
import { type Chosen, type Destinations, isMeant } from "./asking.ts";

const texts = words.media.ask.to;
const POLICIES = (["best-effort", "all-or-nothing"] as const).map((value) => ({
  ...{ value, label: texts.policies[value] },
}));
/** No encoding is called so: their names begin with a letter or a digit. */
const [USUAL, FOUND] = ["_usual", "_found"];

interface Props {
  readonly servers: readonly TargetChoice[];
  readonly to: Destinations;
  readonly onChoose: (to: Destinations) => void;
}

export function AskWhere({ servers, to, onChoose }: Props) {
  const { chosen, policy } = to;
  if (servers.length === 0) return <p className="text-sm text-soft">{texts.none}</p>;
  const set = (name: string, encoding: string | null | undefined) =>
    onChoose({ policy, chosen: new Map(chosen).set(name, encoding) });
  const drop = (name: string) => onChoose({ policy, chosen: without(chosen, name) });
  return (
    <fieldset className="space-y-1 text-sm">
      <legend className="mb-1 font-medium">{texts.title}</legend>
      <ul className="max-h-64 space-y-1 overflow-y-auto">
        {servers.map((one) => (
          <Server
            key={one.name}
            of={one}
            chosen={chosen}
            onTick={(isIn) => (isIn ? set(one.name, undefined) : drop(one.name))}
            onEncoding={(encoding) => set(one.name, encoding)}
          />
        ))}
      </ul>
      {chosen.size > 0 ? null : <p className="text-soft">{isMeant(chosen, servers) ? texts.nothing : texts.atLeast}</p>}
      {chosen.size < 2 ? null : (
        <Choice
          label={texts.policy}
          value={policy}
          onChange={({ target }) =>
            onChoose({ chosen, policy: target.value === "all-or-nothing" ? "all-or-nothing" : "best-effort" })
          }
          options={POLICIES}
        />
      )}
    </fieldset>
  );
}

const without = (chosen: Chosen, name: string): Chosen => new Map([...chosen].filter(([one]) => one !== name));

interface ServerProps {
  readonly of: TargetChoice;
  readonly chosen: Chosen;
  readonly onTick: (isIn: boolean) => void;
  readonly onEncoding: (encoding: string | null | undefined) => void;
}

function Server({ of: { name, encoding }, chosen, onTick, onEncoding }: ServerProps) {
  const { data } = useQuery(mediaQueries.encodings());
  const isIn = chosen.has(name);
  const now = chosen.get(name);
  const options = [
    { value: USUAL, label: texts.usual(encoding ?? texts.asFound) },
    { value: FOUND, label: texts.asFound },
    ...(data?.entries ?? []).map((one) => ({ value: one.name, label: one.name })),
  ];
  return (
    <li className="grid items-center gap-x-4 sm:grid-cols-2">
      <label className="flex min-h-9 items-center gap-2 max-sm:min-h-11">
        <input type="checkbox" checked={isIn} onChange={({ target }) => onTick(target.checked)} />
        <span className="wrap-anywhere" dir="auto">
          {name}
        </span>
      </label>
      {isIn ? (
        <select
          aria-label={texts.as(name)}
          value={now === undefined ? USUAL : (now ?? FOUND)}
          onChange={({ target: { value } }) => onEncoding(value === USUAL ? undefined : value === FOUND ? null : value)}
          className="min-h-9 w-full rounded-md border border-edge bg-panel px-2 text-ink max-sm:min-h-11"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : null}
    </li>
  );
}
