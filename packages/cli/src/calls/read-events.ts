/**
 * Server-sent events of the sandbox's stream of calls. Not by `eventsource-parser`, as in the console: in a checkout its
 * condition `source` names TypeScript, which Node does not load from `node_modules`.
 */
import type { IncomingMessage } from "node:http";

export interface StreamEvent {
  readonly name: string;
  readonly id: string | undefined;
  /** Text of its data: JSON. */
  readonly data: string;
}

/** More than an event of ours has. */
const waitingMax = 1_048_576;

/** The events of a response, until it ends. @throws when the connection breaks. */
export async function* readEvents(response: IncomingMessage): AsyncGenerator<StreamEvent> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    if (text.length > waitingMax) throw new Error("The stream of calls has an event without an end.");
    for (const block of blocks) {
      const event = readEvent(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Undefined for comments and for what says how soon to come again. */
function readEvent(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
  const name = fields.get("event");
  const data = fields.get("data");
  return name === undefined || data === undefined ? undefined : { name, data, id: fields.get("id") };
}
