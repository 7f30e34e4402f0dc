/** The shape of what was, in a line of text's height; the words say what it is. */
export function Spark({
  done,
  failed,
  label,
}: {
  readonly done: readonly number[];
  readonly failed: readonly number[];
  readonly label: string;
}) {
  const most = Math.max(1, ...done.map((value, index) => value + (failed[index] ?? 0)));
  const width = 100 / Math.max(1, done.length);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className="inline-block h-6 w-24"
    >
      <title>{label}</title>
      {done.map((value, index) => {
        const bad = failed[index] ?? 0;
        const good = (value / most) * 22;
        const x = index * width;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          <g key={index}>
            <rect x={x} y={24 - good} width={width * 0.8} height={good} className="fill-done" />
            <rect
              x={x}
              y={24 - good - (bad / most) * 22}
              width={width * 0.8}
              height={(bad / most) * 22}
              className="fill-failed"
            />
          </g>
        );
      })}
    </svg>
  );
}

/** Into so many bars at most: a line of text shows no more. */
export function folded(values: readonly number[], most: number): number[] {
  const each = Math.max(1, Math.ceil(values.length / most));
  const bars: number[] = [];
  for (let from = 0; from < values.length; from += each)
    bars.push(values.slice(from, from + each).reduce((sum, one) => sum + one, 0));
  return bars;
}
