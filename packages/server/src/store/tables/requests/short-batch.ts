/** Short batch: rows of a few requests that were decided from remembered accounts. */
import type { Account } from "../../../ledger/accounts/account.ts";
import type { Statement, StatementValue } from "../../postgres/session.ts";
import type { AccountUpdate } from "../accounts.ts";
import type { Entry } from "../entries.ts";
import type { NewAcceptedRequest } from "./accepted-requests.ts";
import type { WantedRejection } from "./rejected-requests.ts";

/** A statement with its values, which adds rows of another kind behind the batch, where that was written. */
export interface BehindShortBatch {
  readonly statement: Statement;
  readonly values: readonly StatementValue[];
}

export interface ShortBatch {
  /** Business time of the decision, ISO 8601. */
  readonly at: string;
  /** All accounts that the decisions read, in the order of their ids, and the `xmin` of each row. */
  readonly read: readonly { readonly account: Account; readonly xmin: string }[];
  /** The calls, in the order of their requests: a rejection that applies to one counts. */
  readonly calls: readonly WantedRejection[];
  /** At least one. */
  readonly requests: readonly NewAcceptedRequest[];
  readonly entries: readonly Entry[];
  readonly updates: readonly AccountUpdate[];
  readonly behind: readonly BehindShortBatch[];
}
