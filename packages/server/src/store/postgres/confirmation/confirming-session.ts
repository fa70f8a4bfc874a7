/** The session of confirmations. */
import { readReplication, type Replication } from "./replication.ts";
import type { Session, SessionWatch } from "../session.ts";

export type OwnSession = ReturnType<typeof createOwnSession>;

interface Opening {
  readonly open: (watch: SessionWatch) => Promise<Session>;
}

/** Opened when it is needed, and anew when it was lost. */
export function createOwnSession({ open }: Opening, watch: SessionWatch, onOpen: (found: Replication) => void) {
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
