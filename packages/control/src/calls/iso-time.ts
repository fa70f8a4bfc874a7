/** Times of calls, with milliseconds. */
import { formatTimestamp } from "@titian/contract";

/** Epoch ms as ISO 8601 with +07:00. */
export function isoTime(ms: number): string {
  const whole = Math.floor(ms);
  const fraction = String(((whole % 1_000) + 1_000) % 1_000).padStart(3, "0");
  return formatTimestamp(whole).replace("+07:00", `.${fraction}+07:00`);
}
