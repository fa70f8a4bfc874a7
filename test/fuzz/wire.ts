/** A connection that writes any bytes and reads answers of HTTP/1.1 by itself: clients reject to send what is asked for here. */
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** Bytes that came and were no response. */
  readonly rest: string;
  readonly isOverdue: boolean;
}

export interface Wire {
  /** Writes bytes; resolves with the next response, or with what came before the connection was closed. */
  exchange(bytes: Buffer, options: { readonly isHead: boolean; readonly leaves: boolean }): Promise<Exchange>;
  close(): void;
}

const commandTimeoutMs = 15_000;

export function createWire(port: number): Wire {
  let open: Socket | undefined;
  const close = () => {
    open?.destroy();
    open = undefined;
  };
  return {
    close,
    exchange: (bytes, { isHead, leaves }) =>
      new Promise((resolve) => {
        const socket = open ?? connect({ port, host: "127.0.0.1", noDelay: true });
        open = socket;
        let received = Buffer.alloc(0);
        const answers: RawAnswer[] = [];
        const finish = (isOverdue: boolean) => {
          clearTimeout(limit);
          socket.removeAllListeners();
          // A late reset of a connection that is done with is nobody's error.
          socket.on("error", () => undefined);
          const isKept =
            !isOverdue && !leaves && !socket.destroyed && answers.at(-1)?.headers.get("connection") !== "close";
          if (!isKept) close();
          resolve({ answers, rest: received.toString("latin1"), isOverdue });
        };
        const limit = setTimeout(finish, commandTimeoutMs, true);
        socket.on("data", (data: Buffer) => {
          received = Buffer.concat([received, data]);
          for (let read = readAnswer(received, isHead); read !== undefined; read = readAnswer(received, isHead)) {
            received = received.subarray(read.length);
            if (read.answer.status >= 200) answers.push(read.answer);
          }
          if (answers.length > 0 && !leaves) finish(false);
        });
        socket.once("error", () => undefined);
        socket.once("close", () => finish(false));
        if (leaves) socket.end(bytes);
        else socket.write(bytes);
      }),
  };
}

/** The first response in the bytes and its length; undefined while it is not complete. */
function readAnswer(bytes: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${statusLine} `)?.[1]);
  if (Number.isNaN(status)) return undefined;
  const headers = new Map(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const bodyStart = headEnd + 4;
  const bodyLength = isHead || status < 200 ? 0 : Number(headers.get("content-length") ?? 0);
  const length = bodyStart + bodyLength;
  if (bytes.length < length) return undefined;
  return { answer: { status, headers, body: bytes.subarray(bodyStart, length).toString("utf8") }, length };
}
