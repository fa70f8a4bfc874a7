/**
 * Closes connections whose callers may still be sending a body that nobody asks for (spec D2, D17). Closing with unread
 * bytes resets a connection, and a caller that is writing would meet the reset instead of its response. So the sending
 * side is closed behind the response, and the connection stays for some seconds: what still comes is not read and fills
 * the system's buffer alone.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Bytes read of a body that nobody asks for: a longer one costs its caller the connection. */
export const unwantedMax = 65_536;
/** Time that the caller has to read its response. */
const lingerMs = 3_000;

/** True when the announced body is longer than that. */
export function announcesLongBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > unwantedMax;
}

/** Sends what was written, and the end of it. */
export function closeLater(socket: Socket): void {
  if (socket.destroyed) return;
  // Node lets a socket be read on behind a response.
  socket.on("resume", () => socket.pause());
  socket.pause();
  stopReading(socket);
  socket.end();
  const over = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(over));
}

/**
 * A paused socket reads on until its buffer is full: 64 KiB of each connection, for as long as it lingers. Node's handle
 * alone can stop at once; what has come already is dropped.
 */
function stopReading(socket: Socket): void {
  const { _handle: handle } = socket as { _handle?: { reading?: boolean; readStop?(): void } };
  handle?.readStop?.();
  // Node does not start it again where it is said to be reading.
  if (handle) handle.reading = true;
  while (socket.read() !== null);
}
