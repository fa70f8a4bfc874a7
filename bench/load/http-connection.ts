/**
 * One keep-alive connection of the load generator: sends a request that was made before, waits for the whole answer.
 * Reads just enough of it to know that it is whole and a success, so that the generator takes little of the CPU that it
 * shares with the service.
 */
import { connect, type Socket } from "node:net";

export interface HttpConnection {
  /** Sends one request; `onAnswer` is called once its response is in and was the success expected. */
  send(request: Buffer): void;
  close(): void;
}

export interface HttpConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** Start that the body of every response must have. */
  readonly successStart: string;
  readonly onAnswer: () => void;
  /** The service answered 503: it is too busy. Absent: that is a failure. */
  readonly onBusy?: () => void;
  /** The connection broke, or something else was answered. */
  readonly onFailure: (error: Error) => void;
}

const headEnd = Buffer.from("\r\n\r\n");
/** As `node:http` writes it, and as frameworks do. */
const lengthNames = ["\r\nContent-Length: ", "\r\ncontent-length: "].map((name) => Buffer.from(name));
const lastAnswer = Buffer.from("\r\nConnection: close\r\n");
const readBytes = 16_384;

export function openHttpConnection(options: HttpConnectionOptions): Promise<HttpConnection> {
  const { host, port, successStart, onAnswer, onBusy, onFailure } = options;
  let kept: Buffer | undefined;

  const receive = (length: number, buffer: Buffer) => {
    const arrived = buffer.subarray(0, length);
    const answer = kept === undefined ? arrived : Buffer.concat([kept, arrived]);
    if (!isWhole(answer)) {
      kept = Buffer.from(answer);
      return;
    }
    kept = undefined;
    // One of several workers may have more connections than its share.
    if (answer.includes(lastAnswer)) current = open();
    if (isSuccess(answer, successStart)) onAnswer();
    else if (onBusy && statusOf(answer) === "503") onBusy();
    else onFailure(new Error(`The service answered:\n${answer.toString("utf8")}`));
  };

  const open = (): Socket => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(readBytes),
        callback: (length, buffer) => {
          receive(length, Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    socket.on("error", onFailure);
    socket.on("close", () => {
      if (socket === current) onFailure(new Error("The service closed a connection of the load generator."));
    });
    return socket;
  };
  let current: Socket | undefined = open();
  const opened = current;

  return new Promise((resolve, reject) => {
    opened.once("error", reject);
    opened.once("connect", () =>
      resolve({
        send: (request) => void current?.write(request),
        close: () => {
          const socket = current;
          current = undefined;
          socket?.destroy();
        },
      }),
    );
  });
}

/** The service says the length of every body. */
function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf(headEnd);
  if (end === -1) return false;
  for (const name of lengthNames) {
    const at = answer.indexOf(name);
    if (at === -1) continue;
    const bodyLength = Number.parseInt(answer.toString("latin1", at + name.length, at + name.length + 8), 10);
    return answer.length >= end + headEnd.length + bodyLength;
  }
  return false;
}

function statusOf(answer: Buffer): string {
  return answer.toString("latin1", 9, 12);
}

function isSuccess(answer: Buffer, successStart: string): boolean {
  if (statusOf(answer) !== "200") return false;
  const body = answer.indexOf(headEnd) + headEnd.length;
  return answer.toString("latin1", body, body + successStart.length) === successStart;
}
