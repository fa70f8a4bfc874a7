/** State of a connection's newest request, whose body may not have come to its end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { announcesLongBody } from "./lingering.ts";

export type PendingRequest = readonly [IncomingMessage, ServerResponse];

/** True: more of its body is to come. */
export function hasRest(newest: PendingRequest | undefined): boolean {
  return newest?.[0].complete === false;
}

/** True: more of it came than is kept until somebody reads it; Node then lets the socket be read again. */
export function isBackedUp(newest: PendingRequest | undefined): boolean {
  if (newest === undefined || !hasRest(newest)) return false;
  const [{ readableLength, readableHighWaterMark }] = newest;
  return readableLength >= readableHighWaterMark;
}

/** True: its response, which closes the connection because of a long rest, is under way. */
export function isClosing(newest: PendingRequest | undefined): boolean {
  return newest?.[1].headersSent === true && hasRest(newest) && announcesLongBody(newest[0]);
}

/** True: nobody asks for the rest any more. */
export function isUnwanted(newest: PendingRequest | undefined): boolean {
  return newest?.[1].writableFinished === true && hasRest(newest);
}

/** True: nobody asks for the rest, and it may be without end, since its length was not announced. */
export function isEndless(newest: PendingRequest | undefined): boolean {
  return isUnwanted(newest) && newest?.[0].headers["content-length"] === undefined;
}
