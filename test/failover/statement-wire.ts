/** A wire between nodes and PostgreSQL that stops before a statement leaves, for as long as it takes to do something. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface StatementWire extends AsyncDisposable {
  /** Leads to the database through the wire. */
  readonly url: string;
}

/** `before`: called with the name of each prepared statement; nothing of any connection passes until it has resolved. */
export async function startStatementWire(
  databaseUrl: string,
  before: (statement: string) => Promise<void> | undefined,
): Promise<StatementWire> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let gate: Promise<void> | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      // Servers are stopped here.
      from.on("error", () => {});
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    }
    upstream.on("data", (chunk) => void client.write(chunk));
    const messages = createMessages();
    let passed: Promise<unknown> = Promise.resolve();
    const pass = async (message: Buffer) => {
      const name = statementOf(message);
      await gate;
      if (name !== undefined) gate = before(name) ?? gate;
      await gate;
      upstream.write(message);
    };
    client.on("data", (chunk) => {
      for (const message of messages(chunk)) passed = passed.then(() => pass(message));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}

/** The client's stream, message by message; the first one has no type before its length. */
function createMessages(): (chunk: Buffer) => readonly Buffer[] {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    const data = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    let offset = 0;
    for (;;) {
      const typeBytes = isStarted ? 1 : 0;
      if (data.length < offset + typeBytes + 4) break;
      const end = offset + typeBytes + data.readUInt32BE(offset + typeBytes);
      if (data.length < end) break;
      messages.push(data.subarray(offset, end));
      isStarted = true;
      offset = end;
    }
    rest = data.subarray(offset);
    return messages;
  };
}

/** Bind: `B`, length, name of the portal (empty), name of the statement. */
function statementOf(message: Buffer): string | undefined {
  if (message[0] !== 0x42 || message[5] !== 0) return undefined;
  return message.toString("utf8", 6, message.indexOf(0, 6)) || "(unnamed)";
}
