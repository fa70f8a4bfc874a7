/** Sessions of operators while nobody can log in (docs/adr/0085-roles-of-jobs-and-break-glass.md). */
import { newSecret } from "../basics/ids.ts";
import { connectPlain } from "../store/postgres/connect.ts";
import { type BreakGlass, type BreakGlassSession, openBreakGlassSession } from "../store/tables/operator-sessions.ts";
import { AdminError } from "./result.ts";

export type BreakGlassInput = Omit<BreakGlass, "secret">;

export interface OpenedBreakGlass extends BreakGlassSession {
  /** The caller's alone: the database has its hash. */
  readonly secret: string;
}

/** No right, no such operator, a text that is none, a database without operators. */
const rejections: readonly unknown[] = ["42501", "P0002", "22023", "23001", "23514"];

/** As the role of break-glass. @throws AdminError where it may not, or there is no such operator */
export async function openBreakGlass(databaseUrl: string, input: BreakGlassInput): Promise<OpenedBreakGlass> {
  const client = await connectPlain({ connectionString: databaseUrl, application_name: "titian break-glass" });
  try {
    const secret = newSecret(32);
    return { ...(await openBreakGlassSession(client, { ...input, secret })), secret };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && rejections.includes(error.code))) throw error;
    const message =
      `No session was opened: ${error.message}. DATABASE_URL logs in as ${client.user}; the role of break-glass, which the ` +
      "database's owner gives its right by `titian migrate --emergency-role`, opens one.";
    throw new AdminError(message, { cause: error });
  } finally {
    await client.end();
  }
}
