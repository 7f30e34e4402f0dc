import { percent } from "../text/format.ts";

/** How far something is, in percent. */
export function Bar({
  value,
  label,
  className = "",
}: {
  readonly value: number;
  readonly label: string;
  readonly className?: string;
}) {
  return (
    <span className={`inline-flex items-center gap-2 ${className}`}>
      <span
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.floor(value)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1.5 w-24 shrink-0 overflow-hidden rounded-full bg-line"
      >
        <span
          className="block h-full rounded-full bg-running"
          style={{ width: `${Math.min(100, Math.max(0, value))}%` }}
        />
      </span>
      <span className="text-sm tabular-nums text-soft">{percent(value)}</span>
    </span>
  );
}
