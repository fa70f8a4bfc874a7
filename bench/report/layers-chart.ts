/** The layers of a transfer's CPU as a stacked bar, beside a transaction of TPC-B: an SVG for the documents. */
import type { CpuLayers } from "./cpu-layers.ts";

/** One a layer, in their order; the last is PostgreSQL's. They differ in lightness too. */
const colors = ["#1d3557", "#2a6f97", "#468faf", "#89c2d9", "#c9d6df", "#e07a3f"] as const;
const [width, left, right, barHeight, rowHeight] = [760, 130, 60, 44, 22] as const;
const style =
  "text { font: 13px system-ui, sans-serif; fill: #222 } .on-dark { fill: #fff } .title { font-weight: 600; font-size: 15px }";

interface Segment {
  readonly name: string;
  readonly us: number;
  readonly color: string;
}

/** A whole SVG document. Layers that came out below zero have no width. */
export function drawLayers({ callers, layers, tpcbUs }: CpuLayers): string {
  const segments = layers.map(({ name, us }, position) => ({
    name,
    us: us.median,
    color: colors[position] ?? "#999",
  }));
  const postgres = colors.at(-1) ?? "#999";
  const tpcb: readonly Segment[] = tpcbUs ? [{ name: "PostgreSQL", us: tpcbUs.median, color: postgres }] : [];
  const scale = (width - left - right) / Math.max(total(segments), total(tpcb));
  const barsEnd = 48 + (tpcb.length > 0 ? 2 : 1) * (barHeight + 14);
  const height = barsEnd + 14 + segments.length * rowHeight;
  const title = `CPU of one transfer, ${callers} callers (microseconds)`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text class="title" x="16" y="28">${title}</text>`,
    drawBar({ label: "transfer", y: 48, segments, scale }),
    ...(tpcb.length > 0 ? [drawBar({ label: "TPC-B", y: 48 + barHeight + 14, segments: tpcb, scale })] : []),
    ...segments.map((segment, row) => drawLegend(segment, barsEnd + 14 + row * rowHeight)),
    "</svg>\n",
  ].join("\n");
}

interface Bar {
  readonly label: string;
  readonly y: number;
  readonly segments: readonly Segment[];
  /** Pixels a microsecond. */
  readonly scale: number;
}

function drawBar({ label, y, segments, scale }: Bar): string {
  const middle = y + barHeight / 2 + 5;
  let x: number = left;
  const parts = segments.map(({ us, color }) => {
    const length = Math.max(0, us) * scale;
    const text = `<text x="${pixel(x + length / 2)}" y="${middle}" text-anchor="middle"${isDark(color) ? ' class="on-dark"' : ""}>${us.toFixed(0)}</text>`;
    const part = `<rect x="${pixel(x)}" y="${y}" width="${pixel(length)}" height="${barHeight}" fill="${color}"/>`;
    x += length;
    return length > 24 ? part + text : part;
  });
  return [
    `<text x="${left - 10}" y="${middle}" text-anchor="end">${label}</text>`,
    ...parts,
    `<text x="${pixel(x + 8)}" y="${middle}">${total(segments).toFixed(0)}</text>`,
  ].join("\n");
}

function drawLegend({ name, us, color }: Segment, y: number): string {
  return `<rect x="${left}" y="${y - 11}" width="14" height="14" fill="${color}"/><text x="${left + 22}" y="${y + 1}">${name}: ${us.toFixed(1)}</text>`;
}

function total(segments: readonly Segment[]): number {
  return segments.reduce((sum, { us }) => sum + Math.max(0, us), 0);
}

function isDark(color: string): boolean {
  return color === colors[0] || color === colors[1] || color === colors[2];
}

function pixel(value: number): string {
  return value.toFixed(1);
}
