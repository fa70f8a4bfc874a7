/** A wire between engines and PostgreSQL that breaks around commits. It reads just enough of the protocol to find one. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * beforeCommit: everything but the commit arrives, then the wire is cut · afterCommit: cut as soon as the commit was
 * passed on, whether PostgreSQL has read it or not · afterAnswer: cut when PostgreSQL has answered, before the response
 * arrives · silence: the commit arrives, and then nothing passes in either direction for a while.
 */
export const cuts = ["beforeCommit", "afterCommit", "afterAnswer", "silence"] as const;
export type Cut = (typeof cuts)[number];

export interface CommitProxy extends AsyncDisposable {
  /** Leads to the database through the wire. */
  readonly url: string;
  /** Count of cuts by kind. */
  readonly made: ReadonlyMap<Cut, number>;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Asked at every commit what to do to it. */
  next(): Cut | undefined;
  readonly silenceMs: number;
}

export async function startCommitProxy(databaseUrl: string, options: ProxyOptions): Promise<CommitProxy> {
  const target = new URL(databaseUrl);
  const made = new Map<Cut, number>();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      // Broken wires are what this is for.
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    wire(client, upstream, options, (cut) => made.set(cut, (made.get(cut) ?? 0) + 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  const close = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, "close");
  };
  return { url: url.href, made, close, [Symbol.asyncDispose]: close };
}

function wire(client: Socket, upstream: Socket, { next, silenceMs }: ProxyOptions, onCut: (cut: Cut) => void): void {
  let cut: Cut | undefined;
  const messages = createMessageReader();
  const end = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on("close", end);
  upstream.on("close", end);
  client.on("data", (chunk) => {
    if (cut !== undefined) return;
    const { before, commitOn } = messages.split(chunk);
    upstream.write(before);
    if (commitOn.length === 0) return;
    cut = next();
    if (cut !== undefined) onCut(cut);
    if (cut === "beforeCommit") return end();
    upstream.write(commitOn, () => {
      if (cut === "afterCommit") end();
      if (cut === "silence") setTimeout(end, silenceMs).unref();
    });
  });
  upstream.on("data", (chunk) => {
    if (cut === undefined) client.write(chunk);
    else if (cut === "afterAnswer" && chunk.includes("COMMIT\0")) end();
  });
}

interface Split {
  /** Whole messages up to the first one that asks for a commit. */
  readonly before: Buffer;
  /** Whole messages from that one on; empty when there is none. */
  readonly commitOn: Buffer;
}

/** Cuts the client's stream at its messages; what is not whole yet waits for the next chunk. */
function createMessageReader(): { split(chunk: Buffer): Split } {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return {
    split: (chunk) => {
      const data = Buffer.concat([rest, chunk]);
      let offset = 0;
      let commitAt: number | undefined;
      for (;;) {
        // The first message has no type before its length.
        const typeBytes = isStarted ? 1 : 0;
        if (data.length < offset + typeBytes + 4) break;
        const end = offset + typeBytes + data.readUInt32BE(offset + typeBytes);
        if (data.length < end) break;
        if (isStarted && commitAt === undefined && bindsCommit(data.subarray(offset, end))) commitAt = offset;
        isStarted = true;
        offset = end;
      }
      rest = data.subarray(offset);
      const whole = data.subarray(0, offset);
      return { before: whole.subarray(0, commitAt ?? offset), commitOn: whole.subarray(commitAt ?? offset) };
    },
  };
}

/** Bind: `B`, length, name of the portal (empty), name of the statement. */
function bindsCommit(message: Buffer): boolean {
  return message[0] === 0x42 && message.subarray(5, 13).equals(Buffer.from("\0commit\0"));
}
