/** Reads the stream of calls as a browser does. */
import { request } from "undici";
import type { Json } from "./caller.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export interface StreamEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Json;
}

export interface FollowedCalls extends AsyncDisposable {
  /** @throws when the stream has ended. */
  next(): Promise<StreamEvent>;
}

/** @throws when the stream is not opened. */
export async function followCalls(file: SandboxFile, query: string, headers: Json = {}): Promise<FollowedCalls> {
  const response = await request(`${file.baseUrl}/sandbox/calls/stream${query}`, {
    headers: { Authorization: `Bearer ${file.controlToken}`, ...headers },
  });
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await response.body.text()}`);
  const blocks = readBlocks(response.body);
  // The first one says how soon to come again.
  await blocks.next();
  return {
    async next() {
      const { value } = await blocks.next();
      if (value === undefined) throw new Error("the stream has ended");
      const lines = new Map(
        value.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data: Json = JSON.parse(lines.get("data") ?? "{}");
      return { id: lines.get("id") ?? "", name: lines.get("event") ?? "", data };
    },
    [Symbol.asyncDispose]: async () => void response.body.destroy(),
  };
}

async function* readBlocks(body: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let text = "";
  try {
    for await (const chunk of body) {
      text += chunk.toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (!block.startsWith(":")) yield block;
      }
    }
  } catch {
    // The reader or the service has ended it.
  }
  return undefined;
}
