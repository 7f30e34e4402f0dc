import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from "react";

export const FIELD =
  "mt-1 block min-h-10 w-full rounded-md border border-edge bg-panel px-3 text-ink placeholder:text-soft max-sm:min-h-11 disabled:opacity-60";

export function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="block text-sm font-medium">
      {label}
      {children}
    </label>
  );
}

export function TextField({ label, ...rest }: { readonly label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label}>
      <input className={FIELD} {...rest} />
    </Labelled>
  );
}

interface ChoiceProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The system's own: it is the one that phones and screen readers know best. */
export function Choice({ label, options, ...rest }: ChoiceProps) {
  return (
    <Labelled label={label}>
      <select className={FIELD} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
