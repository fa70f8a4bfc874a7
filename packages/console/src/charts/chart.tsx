/** A chart over time on a canvas. What it shows stands in a table beside it. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../preferences.ts";
import { timeText } from "../design/time.tsx";

export interface Series {
  readonly label: string;
  /** Name of a colour of the design: `--accent`. */
  readonly color: string;
  /** One for each time; null: nothing there. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  /** Text that a screen reader says instead of the picture. */
  readonly label: string;
  /** Epoch seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Counts and sums are bars; what is measured is points on a line. */
  readonly kind: "bars" | "line";
  /** Formats a value on the axis. */
  readonly format: (value: number) => string;
}

const height = 210;
/** A bar stands in the middle of its time: half of one more fits at each end (seconds). */
const marginSeconds = 40;

export function Chart({ label, times, series, kind, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const shownTheme = theme();
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const options = optionsOf(current, { series, kind, format });
    const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])];
    const chart = new uPlot(options, data, current);
    const resize = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height }));
    resize.observe(current);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [times, series, kind, format, shownTheme]);
  return (
    <div>
      <ul class="legend">
        {series.map(({ label: name, color }) => (
          <li key={name}>
            <span class="legend-key" style={{ background: `var(${color})` }} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} class="chart" role="img" aria-label={label} />
    </div>
  );
}

function optionsOf(element: HTMLElement, { series, kind, format }: Omit<ChartProps, "label" | "times">): uPlot.Options {
  const style = getComputedStyle(element);
  const colorOf = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colorOf("--muted"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colorOf("--border"), width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 4, 0, 0],
    series: [
      {},
      ...series.map(({ color }) => ({
        stroke: colorOf(color),
        width: kind === "bars" ? 0 : 2,
        spanGaps: true,
        ...(kind === "bars"
          ? { fill: colorOf(color), points: { show: false }, ...(bars && { paths: bars }) }
          : { points: { show: true, size: 5, fill: colorOf(color) } }),
      })),
    ],
    axes: [
      {
        ...axis,
        values: (_chart, splits) => splits.map((second) => timeText(second * 1_000, "hour")),
        space: 60,
        size: 30,
        grid: { show: false },
      },
      { ...axis, values: (_chart, splits) => splits.map(format), size: 64 },
    ],
    scales: {
      x: { time: true, range: (_chart, min, max) => [min - marginSeconds, max + marginSeconds] },
      y: { range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.1] },
    },
  };
}
