/**
 * Confirmed reads (spec D15): the result of a read is given only when a commit that began after it has reached the
 * synchronous standbys. So it has nothing that a failover takes back, and lacks nothing that another primary accepted: an
 * old primary, whose standby was promoted, confirms no commit. One commit confirms all reads that wait for one.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import { confirmReplication } from "./confirm.ts";
import type { CheckServer } from "./connect.ts";
import { readReplication, type Replication } from "./replication.ts";
import type { Session, SessionWatch } from "./session.ts";
import { createWaitingReads, UnconfirmedRead } from "./waiting-reads.ts";

export interface Confirmations {
  /**
   * Called before a read. What it returns is called after it, and resolves once a commit that began then is confirmed.
   * Without a synchronous standby nothing waits. It throws UnconfirmedRead when no commit is confirmed within 2 s.
   */
  beginRead(): () => Promise<void>;
  /** @throws for a connection to another server than that which confirms. */
  readonly checkServer: CheckServer;
  /** For sessions of which each commit writes: theirs confirm reads, too. */
  readonly watch: SessionWatch;
  /** What was found out of the server, by anybody; commits once where it has a synchronous standby. */
  learn(replication: Replication): void;
  /** Uses the session, so that a wire that went silent is noticed while nobody reads or writes. */
  useSession(): Promise<void>;
  /** Undefined until it is known. */
  readonly replication: Replication | undefined;
  /** Since the last confirmed commit. */
  confirmedAgoMs(): number;
  close(): Promise<void>;
}

export interface ConfirmationsDeps {
  /** Opens the session of confirmations. */
  readonly open: (watch: SessionWatch) => Promise<Session>;
  readonly clock: Pick<Clock, "monotonic">;
  /** The server is lost, or another one took its place: other connections lead nowhere. */
  readonly onServerLost: () => void;
  /** A read was given up. */
  readonly onUnconfirmed: () => void;
}

const retryMs = 50;
const otherServer = "another server answers at the database's address";

/** @throws when the database cannot be reached. */
export async function createConfirmations(deps: ConfirmationsDeps): Promise<Confirmations> {
  const { clock, onServerLost } = deps;
  /** Of the session that was opened last: what was read from another is not confirmed. */
  let server: string | undefined;
  let replication: Replication | undefined;
  let confirmedAt = clock.monotonic();
  const waiting = createWaitingReads(deps.onUnconfirmed);

  const watch: SessionWatch = {
    opened: (found) => {
      if (found === server) return;
      const isFirst = server === undefined;
      server = found;
      replication = undefined;
      waiting.fail(otherServer);
      if (!isFirst) onServerLost();
      own.leaveOther(found);
    },
    committing: (on) => {
      const end = waiting.covered();
      return () => {
        if (on !== server) return;
        confirmedAt = clock.monotonic();
        end();
      };
    },
    lost: () => {
      onServerLost();
      own.leave();
    },
  };
  const own = createOwnSession(deps, watch, (found) => void (replication = found));
  const commits = commitInTurn(own, () => !waiting.isEmpty);
  await own.session();
  return {
    beginRead: () => {
      const before = server;
      return async () => {
        if (before !== server) throw new UnconfirmedRead(otherServer);
        if (replication?.isSynchronous === false) return;
        const confirmed = waiting.wait();
        commits.start();
        await confirmed;
      };
    },
    checkServer: async (found) => {
      if (found === server) return;
      // Either this connection or those before it lead to a server that is none any more.
      own.leave();
      await own.session();
      if (found !== server) throw new Error(otherServer);
    },
    watch,
    learn: (found) => {
      if (found.server !== server) return;
      replication = found;
      if (found.isSynchronous) commits.commitOnce();
    },
    useSession: async () => void (await readReplication(await own.session())),
    get replication() {
      return replication;
    },
    confirmedAgoMs: () => clock.monotonic() - confirmedAt,
    close: async () => {
      commits.stop();
      await own.close();
    },
  };
}

/** Commits, one confirmation after the other, for as long as reads wait. */
function commitInTurn(own: OwnSession, hasWaiting: () => boolean) {
  let isWanted = false;
  let isRunning = false;
  let isStopped = false;
  const run = async () => {
    isRunning = true;
    while (!isStopped && (isWanted || hasWaiting())) {
      // Reads that are answered in one piece are confirmed by one commit.
      await nextTurn();
      isWanted = false;
      if (!(await confirmOn(own))) await sleep(retryMs);
    }
    isRunning = false;
  };
  const start = () => {
    if (!isRunning) void run();
  };
  return {
    start,
    /** Also while no read waits. */
    commitOnce: () => {
      isWanted = true;
      start();
    },
    stop: () => {
      isStopped = true;
    },
  };
}

async function confirmOn(own: OwnSession): Promise<boolean> {
  const session = await own.session().catch(() => undefined);
  if (!session) return false;
  try {
    await confirmReplication(session);
    return true;
  } catch {
    own.leave(session);
    return false;
  }
}

type OwnSession = ReturnType<typeof createOwnSession>;

/** The session of confirmations: opened when it is needed, and anew when it was lost. */
function createOwnSession({ open }: ConfirmationsDeps, watch: SessionWatch, onOpen: (found: Replication) => void) {
  let current: Session | undefined;
  let opening: Promise<Session> | undefined;
  let server: string | undefined;

  const openNow = async () => {
    const session = await open({
      ...watch,
      opened: (found) => {
        server = found;
        watch.opened(found);
      },
    });
    try {
      onOpen(await readReplication(session));
    } catch (error) {
      await session.close();
      throw error;
    }
    current = session;
    return session;
  };
  const leave = (session = current) => {
    if (session === current) current = undefined;
    void session?.close();
  };
  return {
    leave,
    leaveOther: (found: string) => {
      if (server !== found) leave();
    },
    session: async (): Promise<Session> => {
      if (current && !current.isLost()) return current;
      opening ??= openNow().finally(() => (opening = undefined));
      return opening;
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await current?.close();
    },
  };
}
