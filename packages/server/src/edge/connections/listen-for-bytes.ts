/** Takes the place of Node's own listener of the bytes that come to a socket of an HTTP server. */
import type { Socket } from "node:net";

type Listener = (...values: unknown[]) => void;

/**
 * Node takes its listeners that stop and start the reading itself off a socket with another listener of bytes. They are put
 * back: a socket that is paused without them reads on until its buffer is full. Returns Node's own listener of bytes.
 */
export function listenForBytes(socket: Socket, listener: (bytes: Buffer) => void): (bytes: Buffer) => void {
  const reading = (["pause", "resume"] as const).map((event) => ({
    event,
    listeners: socket.listeners(event) as Listener[],
  }));
  const parsers = socket.listeners("data");
  socket.removeAllListeners("data");
  socket.on("data", listener);
  for (const { event, listeners } of reading) for (const one of listeners) socket.on(event, one);
  return (bytes) => {
    for (const parse of parsers) parse.call(socket, bytes);
  };
}
