/** `additionalInfo.debugMessage`: what a sandbox tells the caller of a rejected call (never production). */
import type { Decision } from "../http-exchange.ts";

const textLengthMax = 1_000;
/** In the place of an explanation, so that nobody looks for a fault in the header. */
export const explanationLeftOut =
  "The explanation was left out because many calls wait for one: send the call again, or run titian explain.";

/** The decision with the message in the response's `additionalInfo`, beside what is echoed there. */
export function withDebugMessage(decision: Decision, message: string): Decision {
  const { reply, source } = decision;
  const echoed = reply.echo === false ? undefined : source?.freeForm.get("additionalInfo");
  const member = `"debugMessage":${JSON.stringify(message.slice(0, textLengthMax))}`;
  const additionalInfo = Buffer.from(addMember(echoed, member));
  return { ...decision, reply: { ...reply, fields: { ...reply.fields, additionalInfo } } };
}

/** Members of one name: readers of JSON take the last. */
function addMember(object: Uint8Array | undefined, member: string): string {
  const text = object === undefined ? "" : Buffer.from(object).toString("utf8").trim();
  if (!text.startsWith("{") || /^\{\s*\}$/.test(text)) return `{${member}}`;
  return `${text.slice(0, -1)},${member}}`;
}
