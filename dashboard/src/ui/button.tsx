import type { ButtonHTMLAttributes } from "react";

type Kind = "main" | "plain" | "danger" | "quiet";

const LOOKS: Record<Kind, string> = {
  main: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-panel text-ink border-edge hover:bg-sunk",
  danger: "bg-panel text-failed border-failed/50 hover:bg-failed-soft",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunk",
};

/** For whatever is pressed, links that look like buttons among it. */
export const buttonLook = (kind: Kind = "plain", extra = "") =>
  `inline-flex min-h-9 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap ` +
  `disabled:opacity-60 aria-disabled:opacity-60 max-sm:min-h-11 ${LOOKS[kind]} ${extra}`;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: Kind;
}

export function Button({ kind = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonLook(kind, className)} {...rest} />;
}
