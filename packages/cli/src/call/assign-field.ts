/**
 * `--field` assignments: `remark=Invoice 7` is a string, `items:=[{"sku":"A"}]` is JSON. Names are paths, as in the
 * service's messages: `amount.value`, `bulkObject[0].bankCode`.
 */
import { usageError } from "../cli-error.ts";

/** A request body, unchecked; the service validates it. */
export type Body = Record<string, unknown>;

/** Name of a member, or place in a list. */
export type Step = string | number;

/** Value of the text that is given for the field at these steps. */
export type ReadText = (steps: readonly Step[], text: string) => unknown;

const assignmentShape = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*|\[\d{1,5}\])*)(:?=)(.*)$/s;

/** Sets the field in `body`, creating parent objects and lists. @throws CliError */
export function assignField(body: Body, assignment: string, readText: ReadText = (_, text) => text): void {
  const [, path, operator, text] = assignmentShape.exec(assignment) ?? [];
  if (path === undefined || text === undefined) {
    throw usageError(
      `--field "${assignment}" is not an assignment. Write name=value (amount=1000, bulkObject[0].bankCode=014) or name:=json.`,
    );
  }
  const steps = [...path.matchAll(/[A-Za-z]\w*|\d+(?=\])/g)].map(([step]) => (/^\d/.test(step) ? Number(step) : step));
  const value = operator === ":=" ? parseJson(path, text) : readText(steps, text);
  const last = steps.pop();
  let place: unknown = body;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1] ?? last;
    place = enter(place, step, typeof next === "number", path);
  }
  put(place, last ?? "", value, path);
}

/** The value at the step, created when missing. */
function enter(place: unknown, step: Step, isList: boolean, path: string): unknown {
  const found = valueAt(place, step);
  if (found !== undefined) return found;
  const made = isList ? [] : {};
  put(place, step, made, path);
  return made;
}

function valueAt(place: unknown, step: Step): unknown {
  if (Array.isArray(place)) return typeof step === "number" ? place[step] : undefined;
  if (typeof place !== "object" || place === null) return undefined;
  return Object.entries(place).find(([name]) => name === step)?.[1];
}

function put(place: unknown, step: Step, value: unknown, path: string): void {
  if (Array.isArray(place) && typeof step === "number") {
    if (step > place.length) throw usageError(`--field ${path}: give [${place.length}] before [${step}].`);
    place[step] = value;
  } else if (isBody(place) && typeof step === "string") {
    place[step] = value;
  } else {
    throw usageError(
      `--field ${path} points into a value that is not ${typeof step === "number" ? "a list" : "an object"}.`,
    );
  }
}

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`--field ${path}:= takes JSON, and ${JSON.stringify(text)} is not. For a string write ${path}=…`);
  }
}
