/**
 * The settings of a session: asked for while it starts, and read back before anything is trusted to it. Parameters of
 * `DATABASE_URL` and connection poolers replace them without a word, and with them every lock and time limit.
 */
import type { ClientBase } from "pg";

/** Values as `pg_settings` shows them: times in milliseconds. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Read back as 0 over a Unix socket and where the server's system has no such limit. */
const unreadable: ReadonlySet<string> = new Set(["tcp_user_timeout"]);

/** The URL without its own `options`, and those options with ours behind them: of a setting named twice, the last counts. */
export function withSettings(
  url: string,
  settings: SessionSettings,
): { readonly connectionString: string; readonly options: string } {
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const theirs = parsed?.searchParams.get("options");
  if (!parsed || !theirs) return { connectionString: url, options: ours.join(" ") };
  parsed.searchParams.delete("options");
  return { connectionString: parsed.href, options: [theirs, ...ours].join(" ") };
}

/** @throws when the session has other settings. */
export async function checkSettings(client: ClientBase, settings: SessionSettings): Promise<void> {
  const readable = Object.entries(settings).filter(([name]) => !unreadable.has(name));
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = any($1)",
    [readable.map(([name]) => name)],
  );
  const found = new Map(rows.map((row) => [row.name, row.setting]));
  const faults = readable
    .filter(([name, value]) => found.get(name) !== value)
    .map(([name, value]) => `${name} is ${found.get(name) ?? "unknown"} instead of ${value}`);
  if (faults.length === 0) return;
  throw new Error(
    `The database session does not have the settings it asked for: ${faults.join(", ")}. ` +
      "Remove parameters that set them from DATABASE_URL, and connect to PostgreSQL itself or through a pooler in " +
      "session mode that passes startup options on; a pooler in transaction mode cannot be used.",
  );
}

/**
 * Settings of a session that depend on its server. Its commits wait for the synchronous standby, if there is one, also when an
 * operator turns that off for the server while the session lasts. Where Citus is installed, plans are not forced to be generic:
 * it cannot send a part of a generic plan to another machine.
 */
export async function adaptToServer(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false),
       case when exists (select from pg_extension where extname = 'citus') then set_config('plan_cache_mode', 'auto', false) end`,
  );
}
