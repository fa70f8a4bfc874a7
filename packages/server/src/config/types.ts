/** Types of variables; `description` completes "<name> must be …". */
import { integer, type Schema } from "@titian/contract";

export const flag = { description: "1 or 0" };
export const range = (minimum: number, maximum: number, unit: string) =>
  integer({ minimum, maximum, description: `${unit} from ${minimum} to ${maximum}` });
export const whole = (minimum: number, maximum: number, value: number, unit: string) =>
  integer({ ...range(minimum, maximum, unit), default: value });

/** The text as the schema's type; a text that cannot be one is left for the schema to reject. */
export function fromText({ type }: Schema, text: string): unknown {
  if (type === "integer") return /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "1" ? true : text === "0" ? false : text;
  if (type === "array") return text.split(",").map((part) => part.trim());
  return text;
}
