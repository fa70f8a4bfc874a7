/** References of acts: a call that nobody has answered keeps its own, so that a repeat of it is no second act. */
import { ControlError } from "../api/control.ts";
import type { ActForm, FormValues } from "./form.ts";

/** References of the calls without an answer, by what they would do. Reason and ticket are no part of that. */
const unanswered = new Map<string, string>();

const newReference = () => `console-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;

/** Sends the call of the form with the reference that it has had since it was first sent, also in a dialog before. */
export async function withReference<Result>(
  { callOf }: ActForm,
  values: FormValues,
  send: (reference: string) => Promise<Result>,
): Promise<Result> {
  const { path, body } = callOf(values, {}, "");
  const key = JSON.stringify([path, body]);
  const reference = unanswered.get(key) ?? newReference();
  unanswered.set(key, reference);
  try {
    const result = await send(reference);
    unanswered.delete(key);
    return result;
  } catch (error) {
    if (isAboutAct(error)) unanswered.delete(key);
    throw error;
  }
}

/** Any other error leaves open what became of the call, or of the one before it. */
const isAboutAct = (error: unknown): boolean => error instanceof ControlError && error.act !== undefined;
