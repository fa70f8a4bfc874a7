/** Figures as text. */
import type { Spreaded } from "../statistics.ts";

export function formatFigure(value: Spreaded | undefined, withSpread: boolean): string {
  if (value === undefined) return "";
  const text = format(value.median);
  return withSpread ? `${text} (${format(value.least)} - ${format(value.most)})` : text;
}

function format(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
