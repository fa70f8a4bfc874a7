/** PostgreSQL's settings for the embedded server: durable like any other, sized for a laptop. Written at every start. */

/** Setting by name, as PostgreSQL spells both; a later release's defaults are not ours to rely on. */
export type ServerSettings = Readonly<Record<string, string>>;

interface Line {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

const lines: readonly Line[] = [
  { name: "listen_addresses", value: "127.0.0.1", why: "Nobody but this machine, ever." },
  {
    name: "unix_socket_directories",
    value: "",
    why: "One way in. A socket's path would need a directory both accounts may use.",
  },
  { name: "max_connections", value: "100", why: "Two service nodes with their pools, a console and a few psql." },
  { name: "password_encryption", value: "scram-sha-256", why: "Other users of the machine can reach the port." },
  { name: "fsync", value: "on", why: "What was answered as accepted survives a power cut." },
  { name: "full_page_writes", value: "on", why: "A page torn by a power cut is restored from the log." },
  { name: "synchronous_commit", value: "on", why: "A commit is answered only when it lies on the disk." },
  { name: "shared_buffers", value: "256MB", why: "Accounts, keys and the hot end of the journals stay in memory." },
  {
    name: "max_wal_size",
    value: "4GB",
    why: "Under load a checkpoint comes by time, not by volume: each one makes every page be logged whole again.",
  },
  { name: "checkpoint_timeout", value: "15min", why: "The same; a restart after a crash replays at most so much." },
  {
    name: "wal_compression",
    value: "off",
    why: "Compressing whole pages took three times the time that writing them takes.",
  },
  { name: "autovacuum", value: "on", why: "Balances are updated in place all day." },
  {
    name: "max_parallel_workers_per_gather",
    value: "0",
    why: "Two cores, and a container's /dev/shm is too small for parallel queries.",
  },
  {
    name: "timezone",
    value: "UTC",
    why: "Instants are stored and read as such; the business day is the service's affair.",
  },
  { name: "log_timezone", value: "UTC", why: "The same." },
  { name: "lc_messages", value: "C", why: "The runner reads the log to tell a taken port from a real fault." },
  { name: "log_checkpoints", value: "off", why: "Nothing here for the reader of the log to act on." },
  {
    name: "log_min_messages",
    value: "log",
    why: "A rejected statement is the service's to report; the log keeps what concerns the server.",
  },
];

/** The text of postgresql.conf; `overrides` win, and may name settings not listed here. */
export function renderServerSettings(overrides: ServerSettings = {}): string {
  const own = lines.map(({ name, value, why }) => `# ${why}\n${name} = ${quote(overrides[name] ?? value)}\n`);
  const others = Object.entries(overrides)
    .filter(([name]) => !lines.some((line) => line.name === name))
    .map(([name, value]) => `${name} = ${quote(value)}\n`);
  return `# Written by Titian at every start; changes made here are lost.\n${[...own, ...others].join("")}`;
}

/** Access rules: everyone may come in by TCP from this machine, with the password. */
export const accessRules = "host all all 127.0.0.1/32 scram-sha-256\n";

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
