// On or off: a switch whose name stays the same, with the word beside it.

import { Switch } from "@base-ui/react/switch";
import { words } from "../text/words.ts";

interface Props {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onTurn: (on: boolean) => void;
  /** In place of On and Off, where there is more to say. */
  readonly word?: string;
}

export function Toggle({ label, isOn, isDisabled = false, onTurn, word }: Props) {
  return (
    <span className="inline-flex min-h-9 items-center gap-2">
      <Switch.Root
        checked={isOn}
        disabled={isDisabled}
        onCheckedChange={onTurn}
        aria-label={label}
        className="inline-flex h-5 w-9 items-center rounded-full border border-soft bg-sunk p-0.5 data-checked:border-transparent data-checked:bg-done disabled:opacity-70"
      >
        <Switch.Thumb className="block size-3.5 rounded-full bg-soft transition-transform data-checked:translate-x-4 data-checked:bg-panel" />
      </Switch.Root>
      <span aria-hidden className={isOn ? "text-soft" : "font-medium text-waiting"}>
        {word ?? (isOn ? words.on : words.off)}
      </span>
    </span>
  );
}
