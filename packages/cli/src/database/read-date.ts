import { usageError } from "../cli-error.ts";

/** Its begin by UTC (epoch ms). @throws CliError that names the option when the text is no date. */
export function readDate(option: string, text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw usageError(`${option} ${text} is no date: give one such as 2026-01-31.`);
  return time;
}
