/**
 * One caller's connection: how many of its requests are under way at once (spec D2). A packet may hold a thousand
 * requests, so its bytes are handed to Node's parser piece by piece, and no further while enough are under way.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Clock } from "../../basics/clock.ts";
import { HeldTime } from "./held-time.ts";
import { announcesLongBody, closeLater, unwantedMax } from "./lingering.ts";
import { hasRest, isBackedUp, isClosing, isEndless, isUnwanted, type PendingRequest } from "./pending-request.ts";
import { ReadTurns, type SharedTurns, type TakeTurn } from "./read-turns.ts";
import { listenForBytes } from "./listen-for-bytes.ts";

export type HttpHandler = (request: IncomingMessage, response: ServerResponse, connection: Connection) => void;

const soon: TakeTurn = (go) => void setImmediate(go);
/** Concurrent requests: of an authenticated partner, and of any other caller. */
const underWayMax = 16;
const underWayUnauthenticated = 1;
/** A packet up to the first size goes to the parser whole: every usual call does. A larger one goes in pieces. */
const wholeMax = 2_048;
const pieceBytes = 1_024;
/** In the midst of a body there is no request for a while. */
const bodyPieceBytes = 8_192;
/** Number of shortest requests that one piece can hold; a connection with more of them waiting is cut. */
const waitingMax = 64;
/** A connection unused for this long may be closed: a caller in the middle of its work uses it sooner. */
const unusedMs = 500;
/** A timer that fires so much late tells that this process did not run: callers on a busy machine did not either. */
const lateMs = 50;

export class Connection {
  readonly socket: Socket;
  readonly #handle: HttpHandler;
  readonly #clock: Clock;
  /** Node's own listener of the bytes that arrive. */
  readonly #parse: (bytes: Buffer) => void;
  #waiting: [IncomingMessage, ServerResponse][] = [];
  #held: Buffer | undefined;
  #underWay = 0;
  #limit = underWayUnauthenticated;
  #newest: PendingRequest | undefined;
  #usedAt: number;
  #isDraining = false;
  #isLeft = false;
  /** Bytes that had been read before the last ones (-1: there are none), and before those with the newest request's head. */
  #bytesBefore = -1;
  #bytesBeforeNewest = 0;
  readonly #heldTime: HeldTime;
  #takeTurn: TakeTurn = soon;
  /** Undefined once a partner has authenticated. */
  #turns: ReadTurns | undefined;

  /** Takes over a connection that Node's HTTP server has just set up. */
  constructor(socket: Socket, handle: HttpHandler, clock: Clock) {
    this.socket = socket;
    this.#handle = handle;
    this.#clock = clock;
    this.#usedAt = clock.monotonic();
    this.#heldTime = new HeldTime(socket, clock);
    this.#parse = listenForBytes(socket, (bytes) => this.#receive(bytes));
    socket.on("resume", () => this.#resumed());
    // Node calls it behind a response that closes the connection.
    socket.destroySoon = () => {
      if (hasRest(this.#newest)) this.linger();
      else Socket.prototype.destroySoon.call(socket);
    };
    socket.once("close", () => {
      this.#waiting = [];
      this.#held = undefined;
      this.#turns?.end();
    });
  }

  /** Requests whose responses are not sent yet. */
  get underWay(): number {
    return this.#underWay;
  }

  /** True when a response to malformed bytes is taken for no other: something was sent, and none is owed, or for that alone. */
  get mayReject(): boolean {
    const [request, response] = this.#newest ?? [];
    if (this.#waiting.length > 0 || this.#bytesBefore < 0) return false;
    if (request === undefined || request.complete) return this.#underWay === 0;
    return this.#underWay === 1 && response?.headersSent === false;
  }

  /**
   * True when the rest of a request is late (limitMs) because we have not read it: then `cut` is called when the caller
   * has had that time itself, or all that we held it back for. Node asks only once about each request.
   */
  excuses(limitMs: number, cut: () => void): boolean {
    const isOurs = this.#isFull() || isBackedUp(this.#newest) || this.#held !== undefined;
    const heldMs = this.#heldTime.take();
    if (!isOurs && heldMs < lateMs) return false;
    const request = this.#newest?.[0];
    const wasComplete = request?.complete;
    const restMs = isOurs ? limitMs : Math.min(limitMs, heldMs);
    setTimeout(() => {
      const hasCome = this.#newest?.[0] !== request || request?.complete !== wasComplete;
      if (!hasCome && !this.#isOver && !this.excuses(limitMs, cut)) cut();
    }, restMs).unref();
    return true;
  }

  /** Queues a parsed request for the handler. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isDraining) this.#closeWith(response);
    this.#newest = [request, response];
    this.#bytesBeforeNewest = this.#bytesBefore;
    if (this.#waiting.length === 0 && this.#underWay < this.#limit) this.#start(request, response);
    else if (this.#waiting.push([request, response]) > waitingMax) this.socket.destroy();
  }

  /** Until a partner has authenticated, the connection is read, and continues after a response, only in its turns. */
  takeTurns(turns: SharedTurns): void {
    this.#turns = new ReadTurns(this.socket, turns, () => this.#proceed());
    this.#takeTurn = this.#turns.take;
    this.#turns.wait(0);
  }

  /** The others of its address have filled what is read ahead of the turns. */
  readInTurn(): void {
    if (this.#turns === undefined || this.#isHeldBack || this.#isOver || this.socket.isPaused()) return;
    this.socket.pause();
    this.#turns.wait(0);
  }

  /** A partner has authenticated on it: from now on more requests at once. */
  trust(): void {
    if (this.#limit === underWayMax) return;
    this.#limit = underWayMax;
    this.#takeTurn = soon;
    this.#turns?.end();
    this.#turns = undefined;
    if (this.socket.isPaused()) setImmediate(() => this.#proceed());
  }

  /** Closes the connection behind what was written; of what the caller still sends little is read. */
  linger(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#held = undefined;
    closeLater(this.socket);
    // The part of its body that the request still keeps is dropped.
    this.#newest?.[0].resume();
  }

  /** Node has given its parser to another connection: nothing more is read of this one, and it is closed soon. */
  leave(): void {
    const { socket } = this;
    this.#isLeft = true;
    this.#held = undefined;
    socket.removeAllListeners("data");
    // Node has taken its own listeners off.
    socket.on("error", () => socket.destroy());
    setTimeout(() => socket.destroy(), unusedMs);
  }

  /** The last response that is owed closes the connection; one that is not in use is closed. */
  drain(): void {
    this.#isDraining = true;
    if (this.#isLeft) setTimeout(() => this.socket.destroy(), unusedMs);
    // The calls of the connections that are closed now come over those that were not in use.
    this.#usedAt = this.#clock.monotonic();
    if (this.#newest) this.#closeWith(this.#newest[1]);
    this.#endWhenUnused();
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isDraining) this.#usedAt = this.#clock.monotonic();
    if (this.#turns?.admit(chunk) === false) return;
    this.#bytesBefore = this.socket.bytesRead - chunk.length;
    if (isEndless(this.#newest) && this.socket.bytesRead - this.#bytesBeforeNewest > unwantedMax) return this.linger();
    // Node resumes a socket to read the body of a request that is under way.
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    if (bytes.length <= wholeMax && !this.#isFull()) this.#parse(bytes);
    else this.#feed(bytes);
    if (this.#isFull()) this.socket.pause();
  }

  #feed(bytes: Buffer): void {
    let offset = 0;
    // A paused socket has a paused parser.
    while (offset < bytes.length && !this.#isFull() && !this.socket.isPaused() && !this.#isOver) {
      const size = this.#newest?.[0].complete === false ? bodyPieceBytes : pieceBytes;
      this.#parse(bytes.subarray(offset, offset + size));
      offset += size;
    }
    if (offset < bytes.length && !this.#isOver) this.#held = bytes.subarray(offset);
  }

  #resumed(): void {
    if (this.#isOver) return;
    if (this.socket.isPaused()) {
      // Node had begun to read before the connection was held back, and stops only when it hears of a pause.
      if (this.#isHeldBack) this.socket.emit("pause");
      return;
    }
    const held = this.#held;
    if (held !== undefined && !this.#isFull()) {
      this.#held = undefined;
      this.#feed(held);
    }
    if (this.#isFull() || isClosing(this.#newest)) this.socket.pause();
  }

  get #isHeldBack(): boolean {
    return this.#turns?.isWaiting === true;
  }

  get #isOver(): boolean {
    return this.#isLeft || this.socket.destroyed;
  }

  /** The rest of a body is read on: its request cannot end without it. */
  #isFull(): boolean {
    if (this.#waiting.length > 0 || this.#isHeldBack) return true;
    return this.#underWay >= this.#limit && this.#newest?.[0].complete !== false;
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#underWay += 1;
    response.once("close", () => this.#release());
    this.#handle(request, response, this);
  }

  #release(): void {
    this.#underWay -= 1;
    this.#usedAt = this.#clock.monotonic();
    if (isUnwanted(this.#newest)) this.#discardRest();
    if (this.#isOver) return;
    if (this.#isDraining) this.#endWhenUnused();
    // The other connections have their turn in between.
    if (this.#waiting.length > 0 || this.socket.isPaused()) this.#takeTurn(() => this.#proceed(), this.#bytesNext());
  }

  /** The response did not wait for the body: the rest of a short one is read, so that the connection goes on. */
  #discardRest(): void {
    const request = this.#newest?.[0];
    if (request !== undefined && !announcesLongBody(request)) request.resume();
    else this.linger();
  }

  /** Bytes that the next turn of an unauthenticated connection may read: what is held may be one body. */
  #bytesNext(): number {
    const isOneWhole = this.#waiting.length === 1 && this.#newest?.[0].complete === true;
    return this.#waiting.length > 1 || isOneWhole ? 0 : (this.#held?.length ?? 0);
  }

  #proceed(): void {
    while (this.#underWay < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#start(...next);
    }
    if (this.#isFull() || isBackedUp(this.#newest) || this.#isOver || isClosing(this.#newest)) return;
    this.socket.resume();
  }

  /** Only the last of several responses may close the connection. */
  #closeWith(response: ServerResponse): void {
    const last = this.#newest?.[1];
    if (last?.headersSent === false) last.shouldKeepAlive = true;
    if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Closes it when it has been unused for a while, in which this process ran. */
  #endWhenUnused(): void {
    const now = this.#clock.monotonic();
    const dueAt = this.#usedAt + unusedMs;
    if (this.#isInUse || this.socket.destroyed) return;
    if (dueAt <= now) return this.#endAfterReading();
    const look = () => {
      const at = this.#clock.monotonic();
      if (at - dueAt > lateMs) this.#usedAt = at;
      this.#endWhenUnused();
    };
    setTimeout(look, dueAt - now);
  }

  /**
   * Timers come before sockets: a request may wait in the system, and is read before the next step of the event loop.
   * Half of the connection is closed at first: what the caller may be sending just now does not reset it.
   */
  #endAfterReading(): void {
    const { socket } = this;
    const usedAt = this.#usedAt;
    setImmediate(() => {
      if (this.#usedAt !== usedAt) this.#endWhenUnused();
      else if (!this.#isInUse && socket.writable) socket.end(() => setTimeout(() => socket.destroy(), unusedMs));
    });
  }

  get #isInUse(): boolean {
    return this.#underWay > 0 || this.#waiting.length > 0;
  }
}
