/** User on this machine behind a loopback connection, where the system tells it (Linux). */
import { readFile } from "node:fs/promises";
import { getuid } from "node:process";

/** The ports of a connection, as the server sees them. */
export interface ConnectionPorts {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

const tables = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
const established = "01";
const root = 0;

/**
 * True when the other end of a loopback connection is a process of the user that runs the service, or of root. True
 * where the system does not tell; false where it tells of no such connection: it comes from outside, through a relay.
 */
export async function isOwnUser(ports: ConnectionPorts): Promise<boolean> {
  const texts = await Promise.all(tables.map((path) => readFile(path, "utf8").catch(() => undefined)));
  const found = texts.filter((text) => text !== undefined);
  if (found.length === 0 || getuid === undefined) return true;
  const users = found.flatMap((text) => usersOf(text, ports));
  const own = getuid();
  return users.length > 0 && users.every((user) => user === own || user === root);
}

/** User ids of the established connections whose near end has the client's port, and whose far end has ours. */
function usersOf(table: string, { localPort, remotePort }: ConnectionPorts): readonly number[] {
  return table.split("\n").flatMap((line) => {
    const [, near = "", far = "", state, , , , user] = line.trim().split(/\s+/);
    const isWanted = state === established && portOf(near) === remotePort && portOf(far) === localPort;
    return isWanted ? [Number(user)] : [];
  });
}

function portOf(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "", 16);
}
