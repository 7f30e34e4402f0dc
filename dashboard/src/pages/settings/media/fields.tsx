// Fields that the forms of media have in common.

import { words } from "../../../text/words.ts";
import { TextField } from "../../../ui/field.tsx";
import { forgets } from "./given.ts";

const texts = words.settings.media;

interface SecretProps {
  readonly label: string;
  readonly name: string;
  readonly isSet: boolean;
  /** One can be another one, and not none. */
  readonly isNeeded?: boolean;
}

/** Goes in and never comes out. */
export function SecretField({ label, name, isSet, isNeeded = false }: SecretProps) {
  return (
    <div className="space-y-1">
      <TextField
        label={label}
        name={name}
        type="password"
        maxLength={500}
        autoComplete="new-password"
        required={isNeeded && !isSet}
        placeholder={isSet ? texts.secret.keep : texts.secret.isNot}
      />
      {isSet && !isNeeded ? <Tick label={texts.secret.take} name={forgets(name)} isOn={false} /> : null}
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly name: string;
  readonly isOn: boolean;
}

export function Tick({ label, name, isOn }: TickProps) {
  return (
    <label className="flex min-h-9 items-center gap-2 text-sm max-sm:min-h-11">
      <input type="checkbox" name={name} defaultChecked={isOn} /> {label}
    </label>
  );
}

export function PriorityField({ priority }: { readonly priority: number }) {
  return (
    <TextField
      label={texts.priority}
      name="priority"
      type="number"
      min={1}
      max={50}
      step={1}
      required
      defaultValue={priority}
    />
  );
}
