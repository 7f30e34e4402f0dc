// Bars over time, drawn on a canvas in the theme's colours. What it shows is said in words beside it, and in a table behind it.

import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useIsDark } from "../frame/theme.ts";

interface Series {
  readonly label: string;
  readonly values: readonly number[];
  /** A token of the style sheet. */
  readonly colour: string;
}

interface Props {
  readonly label: string;
  readonly at: readonly string[];
  readonly series: readonly Series[];
}

const HEIGHT = 200;

/** A canvas knows nothing of tokens: it is told the colour that one comes to here, in this theme. */
function colourOf(element: HTMLElement, token: string): string {
  element.style.color = `var(${token})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}

type Line = Pick<Series, "label" | "colour">;

function optionsFor(element: HTMLElement, lines: readonly Line[]): uPlot.Options {
  const colour = (token: string) => colourOf(element, token);
  const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    legend: { show: false },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [axis, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5] }],
    series: [
      {},
      ...lines.map((one) => ({
        label: one.label,
        stroke: colour(one.colour),
        fill: `color-mix(in srgb, ${colour(one.colour)} 55%, transparent)`,
        width: 1,
        points: { show: false },
        ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.8, 40] }) }),
      })),
    ],
  };
}

/** Numbers that come while one looks move its bars; it is only built anew for other lines, or in another theme. */
export function Chart({ label, at, series }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const isDark = useIsDark();
  // Whoever draws it makes the list anew each time; what it says is the same.
  const lines = JSON.stringify(series.map(({ label: name, colour }) => ({ label: name, colour })));
  const values = JSON.stringify(series.map((one) => one.values));
  const data = useMemo(
    (): uPlot.AlignedData => [at.map((one) => Date.parse(one) / 1_000), ...(JSON.parse(values) as number[][])],
    [at, values],
  );
  const latest = useRef(data);
  latest.current = data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(optionsFor(element, JSON.parse(lines) as Line[]), latest.current, element);
    plot.current = made;
    const fit = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    fit.observe(element);
    return () => {
      fit.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [lines, isDark]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={place} role="img" aria-label={label} className="min-h-52 text-sm" />;
}
