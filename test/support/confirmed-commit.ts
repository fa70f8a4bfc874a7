/** A confirmed commit, for tests that call a rail or claim nothing themselves: made as every other is, by PostgreSQL. */
import { confirmReplication } from "../../packages/server/src/store/postgres/confirmation/confirm.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import type { ConfirmedCommit } from "../../packages/server/src/entries/rails.ts";
import { useDatabase } from "./database/database.ts";

await using database = await useDatabase();
const session = await openSession(database.url, "tests");
export const confirmed: ConfirmedCommit = await confirmReplication(session);
await session.close();
