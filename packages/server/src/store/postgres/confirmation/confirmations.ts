/**
 * Confirmed reads (spec D15): the result of a read is given only when a commit that began after it has reached the
 * synchronous standbys. So it has nothing that a failover takes back, and lacks nothing that another primary accepted: an
 * old primary, whose standby was promoted, confirms no commit. One commit confirms all reads that wait for one.
 */
import type { Clock } from "../../../basics/clock.ts";
import { createCommits } from "./confirming-commits.ts";
import { createOwnSession } from "./confirming-session.ts";
import type { CheckServer } from "../connect.ts";
import { readReplication, type Replication } from "./replication.ts";
import type { Session, SessionWatch } from "../session.ts";
import { createWaitingReads, UnconfirmedRead } from "./waiting-reads.ts";

export interface Confirmations {
  /**
   * The result of a read, given when a commit that began after it is confirmed; undefined was not read and is given at once.
   * Without a synchronous standby nothing waits. @throws UnconfirmedRead when no commit is confirmed within 2 s.
   */
  confirmed<Result>(read: () => Promise<Result>): Promise<Result>;
  /** @throws for a connection to another server than that which confirms. */
  readonly checkServer: CheckServer;
  /** For sessions of which each commit writes: theirs confirm reads, too. */
  readonly watch: SessionWatch;
  /** Takes what was found out of the server, by anybody; commits once where it has a synchronous standby. */
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
  /** Reads wait also where commits wait for no standby. */
  readonly requiresStandby?: boolean;
}

const otherServer = "another server answers at the database's address";

/** @throws when the database cannot be reached. */
export async function createConfirmations(deps: ConfirmationsDeps): Promise<Confirmations> {
  const { clock, onServerLost } = deps;
  /** Server of the session that was opened last: what was read from another is not confirmed. */
  let server: string | undefined;
  /** A server that is back may have been another's standby meanwhile. */
  let changes = 0;
  let replication: Replication | undefined;
  let confirmedAt = clock.monotonic();
  const waiting = createWaitingReads(deps.onUnconfirmed);

  const watch: SessionWatch = {
    opened: (found) => {
      if (found === server) return;
      const isFirst = server === undefined;
      server = found;
      changes += 1;
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
  const commits = createCommits(own, waiting, clock);
  await own.session();
  return {
    confirmed: async (read) => {
      const before = changes;
      const result = await commits.duringRead(read);
      if (result === undefined) return result;
      if (before !== changes) throw new UnconfirmedRead(otherServer);
      if (deps.requiresStandby || replication?.isSynchronous !== false) await commits.confirm();
      return result;
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
