/** Reads of queries: committed rows, nothing locked, from a pool of their own. */
import type { Pool } from "pg";
import type { Account } from "../../ledger/accounts/account.ts";
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import type { PaymentRequest } from "../../ledger/payment-requests/payment-request.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import type { RejectedRequest } from "../tables/requests/rejected-requests.ts";
import type { AcceptedRequest } from "../tables/requests/accepted-requests.ts";
import { findAccountByNumber, findAccountsByNumber } from "./accounts.ts";
import { type FoundHold, findHold, findNewestHold, type HoldKey } from "./holds.ts";
import { findPaymentRequest } from "./payment-requests.ts";
import { findTransfer } from "./transfers.ts";
import {
  findAcceptedRequest,
  findRejectedRequest,
  findUsedNumber,
  listAcceptedRequests,
  type RequestReferences,
  type UsedNumber,
} from "./accepted-requests.ts";
import { readRequestKeys } from "../tables/requests/request-keys.ts";
import { type ItemResult, listItemResults } from "./bulk-results.ts";
import { findBulk } from "./bulks.ts";

export interface Reads {
  findAccountByNumber(accountNo: string): Promise<Account | undefined>;
  /** By account number; unknown numbers are left out. */
  findAccountsByNumber(accountNos: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  findAcceptedRequest(references: RequestReferences): Promise<AcceptedRequest | undefined>;
  listAcceptedRequests(ids: readonly string[]): Promise<readonly AcceptedRequest[]>;
  findRejectedRequest(references: RequestReferences): Promise<RejectedRequest | undefined>;
  /** The first of these keys of partners' numbers that an accepted request has, or that is fenced. `passesFences`: without those. */
  findUsedNumber(keys: readonly string[], passesFences: boolean): Promise<UsedNumber | undefined>;
  /** Those of the keys that accepted requests have. */
  findTakenKeys(keys: readonly string[]): Promise<readonly string[]>;
  findBulk(id: string): Promise<Bulk | undefined>;
  /** Results of all items of a bulk that has ended, in the order of its request. */
  listItemResults(bulk: string): Promise<readonly ItemResult[]>;
  findTransfer(id: string): Promise<RailTransfer | undefined>;
  findPaymentRequest(id: string): Promise<PaymentRequest | undefined>;
  findHold(id: string): Promise<FoundHold | undefined>;
  /** The newest hold that matches all given keys. */
  findNewestHold(key: HoldKey): Promise<FoundHold | undefined>;
}

export function createReads(pool: Pool): Reads {
  return {
    findAccountByNumber: (accountNo) => findAccountByNumber(pool, accountNo),
    findAccountsByNumber: (accountNos) => findAccountsByNumber(pool, accountNos),
    findAcceptedRequest: (wanted) => findAcceptedRequest(pool, wanted),
    listAcceptedRequests: (ids) => listAcceptedRequests(pool, ids),
    findRejectedRequest: (wanted) => findRejectedRequest(pool, wanted),
    findUsedNumber: (keys, passesFences) => findUsedNumber(pool, keys, passesFences),
    findTakenKeys: async (keys) => [...(await readRequestKeys(pool, keys)).keys()].map((at) => keys[at] as string),
    findBulk: (id) => findBulk(pool, id),
    listItemResults: (bulk) => listItemResults(pool, bulk),
    findTransfer: (id) => findTransfer(pool, id),
    findPaymentRequest: (id) => findPaymentRequest(pool, id),
    findHold: (id) => findHold(pool, id),
    findNewestHold: (wanted) => findNewestHold(pool, wanted),
  };
}
