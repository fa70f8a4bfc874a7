/** Funded customer accounts, opened by administration's own command, so that the audit finds them in order. */
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { homeCell, newId } from "../../packages/server/src/basics/ids.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { benchReference } from "../bench-reference.ts";
import { query } from "./databases.ts";

export interface OpenAccounts {
  readonly url: string;
  /** Internal id of the partner who may debit them. */
  readonly partner: string;
  /** The cell that the database is; absent: home. */
  readonly cell?: number;
  readonly accountNumbers: readonly string[];
}

/** Enough for any run: transfers are of one rupiah, and one to another bank costs 2,500 beside it. */
const balance = minor(1_000_000_000_000n);
const atOnce = 64;

export async function openAccounts({ url, partner, cell = homeCell, accountNumbers }: OpenAccounts): Promise<void> {
  const clock = createClock();
  const reads = createReadPool(url, 8);
  const database = createAdminPool(url, 4);
  const actEngine = await createEngine({
    open: () => openSession(url, "bench accounts"),
    clock,
    reference: () => benchReference,
  });
  const waiting = [...accountNumbers];
  const openNext = async () => {
    for (let accountNo = waiting.pop(); accountNo !== undefined; accountNo = waiting.pop()) {
      const terms = { id: newId(cell), accountNo, name: `Bench ${accountNo}`, currency: "IDR", type: "S" as const };
      const result = await openAccount(
        { actEngine, database, clock, reads },
        { ...terms, balance, partners: [partner] },
      );
      if (!result.ok) throw new Error(`Account ${accountNo} could not be opened: ${result.rejection.message}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, openNext));
  } finally {
    await actEngine.close();
    await Promise.all([reads.end(), database.end()]);
  }
}

/** Accounts name the partners that may debit them by their internal id. */
export async function findPartnerKey(url: string, partnerId: string): Promise<string> {
  const rows = await query(url, "select id, partner_id from partners");
  const found = rows.find((row) => row["partner_id"] === partnerId);
  if (found === undefined) throw new Error(`The sandbox's partner ${partnerId} is not in its database.`);
  return String(found["id"]);
}
