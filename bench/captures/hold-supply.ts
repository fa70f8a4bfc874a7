/** Which hold each capture of a window takes from. All holds are placed before the window. */
import type { Hold } from "../../packages/server/src/ledger/holds/hold.ts";
import { type Minor, minor } from "../../packages/server/src/ledger/money.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { capturesPerHoldMax } from "../command-terms.ts";
import { query } from "../database/databases.ts";
import type { CaptureLoad } from "../subject.ts";
import { placeHolds } from "./place-holds.ts";

export interface HoldSupplyOptions {
  readonly url: string;
  /** Internal id. */
  readonly partner: string;
  readonly merchantId: string;
  readonly accountNumbers: readonly string[];
}

/** Gives the next capture's hold; undefined when all that were placed are used up. */
export type NextHold = () => Hold | undefined;

export interface HoldSupply {
  /** Gets a window ready in which at most so many captures are expected. */
  prepare(load: CaptureLoad, captures: number): Promise<NextHold>;
}

/** Of every capture: one rupiah. */
export const captureAmount = minor(100n);
/** Held for as many captures as no hold that is picked at random gets. */
const heldForMany = multiply(capturesPerHoldMax);

export async function createHoldSupply(options: HoldSupplyOptions): Promise<HoldSupply> {
  const { url, partner, merchantId, accountNumbers } = options;
  const session = await openSession(url, "bench holds");
  const accounts = await findAccounts(url, accountNumbers);
  const account = (index: number) => accounts[index] ?? "";

  const place = (count: number, held: Minor, pick: () => { readonly payer: string; readonly settlement: string }) =>
    placeHolds(
      session,
      Array.from({ length: count }, () => ({ partner, merchantId, held, ...pick() })),
    );
  const anyTwo = () => {
    const payer = Math.floor(Math.random() * accounts.length);
    const step = 1 + Math.floor(Math.random() * (accounts.length - 1));
    return { payer: account(payer), settlement: account((payer + step) % accounts.length) };
  };
  const sameTwo = () => ({ payer: account(0), settlement: account(1) });
  let many: readonly Hold[] | undefined;

  return {
    prepare: async (load, captures) => {
      switch (load) {
        case "manyHolds": {
          many ??= await place(accounts.length, heldForMany, anyTwo);
          const holds = many;
          return () => holds[Math.floor(Math.random() * holds.length)];
        }
        case "wholeHolds":
          return inTurn(await place(captures, captureAmount, anyTwo), 1);
        case "oneHold": {
          const count = Math.ceil(captures / capturesPerHoldMax);
          return inTurn(await place(count, multiply(capturesPerHoldMax), sameTwo), capturesPerHoldMax);
        }
      }
    },
  };
}

function multiply(captures: number): Minor {
  return minor(captureAmount * BigInt(captures));
}

/** Each hold so many times, one after the other. */
function inTurn(holds: readonly Hold[], times: number): NextHold {
  let given = 0;
  return () => {
    const hold = holds[Math.floor(given / times)];
    given += 1;
    return hold;
  };
}

/** Ids, in the order of the numbers. */
async function findAccounts(url: string, numbers: readonly string[]): Promise<readonly string[]> {
  const rows = await query(url, "select id, account_no from accounts");
  const ids = new Map(rows.map((row) => [String(row["account_no"]), String(row["id"])]));
  return numbers.map((number) => ids.get(number) ?? "");
}
