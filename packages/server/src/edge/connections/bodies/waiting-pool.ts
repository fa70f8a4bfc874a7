/**
 * Unfinished bodies of authenticated partners. A body takes its whole length at once, or waits for it: bodies that
 * each have a part and wait for the rest would wait for each other. Those of a partner have their turns in order of
 * arrival; of several partners the one that has least is first. While others wait, one that comes too slowly ends (503).
 */
import type { Clock } from "../../../basics/clock.ts";
import type { BodyShare, BodySize } from "./body-share.ts";
import { BodyPace } from "./body-pace.ts";

interface WaitingPoolOptions {
  readonly total: number;
  readonly ownerMax: number;
  /** Granted to each owner at once, even when the pool is full. */
  readonly certain: number;
}

interface Body {
  /** A body in chunks takes its operation's limit. */
  readonly bytes: number;
  readonly evict: () => void;
  readonly pace: BodyPace;
}

interface Waiting {
  readonly body: Body;
  readonly until: number;
  readonly settle: (hasCapacity: boolean) => void;
}

interface Owner {
  bytes: number;
  readonly bodies: Set<Body>;
  /** In order of arrival. */
  readonly waiting: Waiting[];
  /** When one of its bodies last got its bytes, or the first began to wait. */
  movedAt: number;
}

/** Under the 30 s that callers and proxies usually wait for a response. */
const waitMs = 25_000;
/** While the others of its owner get their bytes, a late body may go on: its caller may be busy. */
const unmovedMs = 3_000;
const lookEveryMs = 250;
/** A look so late tells that this process did not run, and read nothing. */
const lateMs = 1_000;
/** A waiting body has up to 100 KiB in buffers: what one read brings. */
const waitingMaxOfOwner = 128;
const waitingMaxOfAll = 1_024;
/** Expected length of a body in chunks, which may be shorter than the bytes it takes. */
const expectedInChunks = 1_048_576;

export class WaitingPool {
  readonly #options: WaitingPoolOptions;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #owners = new Map<string, Owner>();
  /** Owners whose bodies wait. */
  readonly #queues = new Set<Owner>();
  #bytes = 0;
  #waiting = 0;
  #isLooking = false;

  constructor(options: WaitingPoolOptions, clock: Pick<Clock, "monotonic">) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Bytes that are taken. */
  get bytes(): number {
    return this.#bytes;
  }

  get waiting(): number {
    return this.#waiting;
  }

  share(key: string, { announced, limit }: BodySize, evict: () => void): BodyShare {
    const expected = announced ?? Math.min(limit, expectedInChunks);
    const body: Body = { bytes: announced ?? limit, evict, pace: new BodyPace(expected, this.#clock) };
    let hasBegun = false;
    return {
      reserve: (bytes) => {
        hasBegun = true;
        body.pace.add(bytes);
        const owner = this.#owners.get(key) ?? { bytes: 0, bodies: new Set(), waiting: [], movedAt: 0 };
        if (owner.bodies.has(body)) return true;
        this.#owners.set(key, owner);
        if (!this.#fits(owner, body)) return this.#wait(owner, body);
        this.#give(owner, body);
        return true;
      },
      release: () => {
        // Most bodies are whole when they are looked at, and took nothing.
        if (hasBegun) this.#release(key, body);
      },
    };
  }

  /** Those that wait are not passed, except by who has less. */
  #fits(owner: Owner, body: Body): boolean {
    if (owner.bytes + body.bytes <= this.#options.certain) return true;
    if (owner.waiting.length > 0 || !this.#fitsOwner(owner, body) || !this.#fitsAll(body)) return false;
    const next = this.#nextOwner();
    return next === undefined || owner.bytes < next.bytes;
  }

  #fitsOwner(owner: Owner, { bytes }: Body): boolean {
    return owner.bytes + bytes <= this.#options.ownerMax;
  }

  #fitsAll({ bytes }: Body): boolean {
    return this.#bytes + bytes <= this.#options.total;
  }

  #give(owner: Owner, body: Body): void {
    owner.bytes += body.bytes;
    this.#bytes += body.bytes;
    owner.bodies.add(body);
    owner.movedAt = this.#clock.monotonic();
    body.pace.restart();
  }

  #wait(owner: Owner, body: Body): false | Promise<boolean> {
    if (owner.waiting.length >= waitingMaxOfOwner || this.#waiting >= waitingMaxOfAll) return false;
    const now = this.#clock.monotonic();
    if (owner.waiting.length === 0) owner.movedAt = now;
    return new Promise((resolve) => {
      owner.waiting.push({ body, until: now + waitMs, settle: resolve });
      this.#waiting += 1;
      this.#queues.add(owner);
      this.#lookLater();
    });
  }

  #settle(owner: Owner, index: number, hasCapacity: boolean): void {
    const [one] = owner.waiting.splice(index, 1);
    if (one === undefined) return;
    this.#waiting -= 1;
    if (owner.waiting.length === 0) this.#queues.delete(owner);
    if (hasCapacity) this.#give(owner, one.body);
    one.settle(hasCapacity);
  }

  #release(key: string, body: Body): void {
    const owner = this.#owners.get(key);
    if (owner === undefined) return;
    const index = owner.waiting.findIndex((one) => one.body === body);
    if (index >= 0) this.#settle(owner, index, false);
    if (owner.bodies.delete(body)) {
      owner.bytes -= body.bytes;
      this.#bytes -= body.bytes;
    }
    if (owner.bodies.size === 0 && owner.waiting.length === 0) this.#owners.delete(key);
    this.#grant();
  }

  /** Owner with the fewest bytes among those whose first body fits their own share. */
  #nextOwner(): Owner | undefined {
    let next: Owner | undefined;
    for (const owner of this.#queues) {
      const [first] = owner.waiting;
      if (first && this.#fitsOwner(owner, first.body) && (next === undefined || owner.bytes < next.bytes)) next = owner;
    }
    return next;
  }

  /** Freed capacity is kept for the owner that is next until its body fits: smaller ones do not pass it for ever. */
  #grant(): void {
    for (let owner = this.#nextOwner(); owner !== undefined; owner = this.#nextOwner()) {
      const [first] = owner.waiting;
      if (first === undefined || !this.#fitsAll(first.body)) return;
      this.#settle(owner, 0, true);
    }
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const dueAt = this.#clock.monotonic() + lookEveryMs;
    const next = () => {
      this.#isLooking = false;
      this.#look(dueAt);
      if (this.#waiting > 0) this.#lookLater();
    };
    setTimeout(next, lookEveryMs).unref();
  }

  #look(dueAt: number): void {
    const now = this.#clock.monotonic();
    for (const owner of this.#queues) {
      while (owner.waiting[0] && owner.waiting[0].until <= now) this.#settle(owner, 0, false);
    }
    if (now - dueAt < lateMs) this.#evictLate(now);
    else for (const { bodies } of this.#owners.values()) for (const { pace } of bodies) pace.restart();
    this.#grant();
  }

  /** For each owner whose line does not move: one late body of its own ends, or of all where the pool is full. */
  #evictLate(now: number): void {
    const late = new Map([...this.#owners.values()].map((owner) => [owner, [...owner.bodies].filter(isLate)[0]]));
    for (const owner of this.#queues) {
      const [first] = owner.waiting;
      if (first === undefined || now - owner.movedAt < unmovedMs) continue;
      const fits = this.#fitsOwner(owner, first.body);
      const body = fits ? [...late.values()].find((one) => one !== undefined) : late.get(owner);
      body?.evict();
    }
  }
}

const isLate = ({ pace }: Body) => pace.isLate();
