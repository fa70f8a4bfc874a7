/** Ids that no earlier run or window used. */
import { randomUUID } from "node:crypto";

/** Start of the ids of one run or window: 8 hexadecimal digits. */
export function newRunId(): string {
  return randomUUID().slice(0, 8);
}

/** A function that gives ids of at most 36 letters and digits; they count up under a random start. */
export function createIds(): () => string {
  const start = newRunId();
  let count = 0;
  return () => {
    count += 1;
    return `${start}${count.toString(36).padStart(7, "0")}`;
  };
}
