/** What the service's records tell a rail: which directory is its own, and which transfers are open. */
import { fromReferenceNo } from "../ids.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { RailRecords } from "../rails/rail.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { countSubmitted, findEndedAmong, findTransfer } from "../store/reads/transfers.ts";
import { claimState, readState, writeState } from "../store/reference/service-state.ts";

type Pools = Readonly<Record<"pool" | "adminPool", StatementPool>>;

const directoryOf = (rail: RailName) => `railDirectory.${rail}`;

export function railRecords({ pool, adminPool }: Pools, rail: RailName): RailRecords {
  return {
    directory: {
      read: async () => textOf(await readState(adminPool, directoryOf(rail))),
      claim: async (id) => textOf(await claimState(adminPool, directoryOf(rail), id)) ?? "",
    },
    openAmong: async (referenceNos) => {
      const ended = await findEndedAmong(adminPool, referenceNos.flatMap(idOf));
      return new Set(referenceNos.filter((referenceNo) => !idOf(referenceNo).some((id) => ended.has(id))));
    },
    hasEnded: async (referenceNo) => {
      const [id] = idOf(referenceNo);
      const transfer = id === undefined ? undefined : await findTransfer(pool, id);
      return transfer?.rail === rail && transfer.resolvedBy !== undefined;
    },
  };
}

/**
 * The rail takes the next directory it is started with for its own. Not while transfers may be in the old one: their
 * number is returned then, and nothing is changed.
 */
export async function releaseDirectory({ pool, adminPool }: Pools, rail: RailName): Promise<number> {
  const submitted = await countSubmitted(pool, rail);
  if (submitted === 0) await writeState(adminPool, directoryOf(rail), null);
  return submitted;
}

function idOf(referenceNo: string): readonly string[] {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? [] : [id];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
