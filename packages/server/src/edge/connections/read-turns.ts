/**
 * When an unauthenticated connection is read: thousands may send at once, and each has its turn (spec D2). Until then its
 * bytes stay in the socket's own buffer: while that is full, the socket reads no more.
 */
import type { Socket } from "node:net";

/** Calls `go` later. `bytes`: that it takes up. */
export type TakeTurn = (go: () => void, bytes: number) => void;

/** Turns that the connections of an address share. */
export interface SharedTurns {
  readonly take: TakeTurn;
  /** So many bytes were read, and wait for a turn; negative: wait no more. */
  readonly wait: (bytes: number) => void;
  /** So many bytes are handed to the parser, in a turn that was taken for `paid` of them. */
  readonly spend: (bytes: number, paid: number) => void;
}

export class ReadTurns {
  readonly #socket: Socket;
  readonly #turns: SharedTurns;
  readonly #proceed: () => void;
  #isWaiting = false;
  #isInTurn = false;
  /** Bytes that wait in the socket's buffer, and those that the turn was taken for. */
  #waitingBytes = 0;
  #paidBytes = 0;

  /** `proceed`: the turn has come. */
  constructor(socket: Socket, turns: SharedTurns, proceed: () => void) {
    this.#socket = socket;
    this.#turns = turns;
    this.#proceed = proceed;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  get take(): TakeTurn {
    return this.#turns.take;
  }

  /** False when it is another's turn: the bytes come again in its own. */
  admit(bytes: Buffer): boolean {
    if (this.#isInTurn) {
      this.#isInTurn = false;
      this.#turns.spend(bytes.length, this.#paidBytes);
      return true;
    }
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#waitingBytes += bytes.length;
    this.#turns.wait(bytes.length);
    this.wait(bytes.length);
    return false;
  }

  wait(bytes: number): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#turns.take(() => {
      this.#isWaiting = false;
      this.#isInTurn = true;
      this.#paidBytes = bytes;
      this.end();
      this.#proceed();
      // Bytes that are there already have been read by then.
      setImmediate(() => (this.#isInTurn = false));
    }, bytes);
  }

  /** Nothing of it waits any more. */
  end(): void {
    this.#turns.wait(-this.#waitingBytes);
    this.#waitingBytes = 0;
  }
}
