/**
 * Open holds for the captures of a window, placed in one transaction with all that service 63 would have left of each:
 * its record, its keys and what is held on its payer's account. So the audit finds them in order.
 */
import {
  requestFingerprint,
  externalIdKey,
  partnerReferenceKey,
} from "../../packages/server/src/engine/batch/idempotency-keys.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { type Hold, placeHold } from "../../packages/server/src/ledger/holds/hold.ts";
import type { Minor } from "../../packages/server/src/ledger/money.ts";
import type { PaymentFacts } from "../../packages/server/src/operations/holds/hold-facts.ts";
import { writeMoney } from "../../packages/server/src/operations/money.ts";
import { type HoldRow, insertHolds } from "../../packages/server/src/store/tables/holds.ts";
import { beginTransaction, type Session, type Statement } from "../../packages/server/src/store/postgres/session.ts";
import { insertRequestKeys } from "../../packages/server/src/store/tables/requests/request-keys.ts";
import {
  insertAcceptedRequests,
  keysOfRequests,
  type NewAcceptedRequest,
} from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { bodyHash } from "../command-terms.ts";

export interface HoldTerms {
  /** Internal id of the partner who captures it. */
  readonly partner: string;
  readonly merchantId: string;
  /** Account ids. */
  readonly payer: string;
  readonly settlement: string;
  readonly held: Minor;
}

const currency = "IDR";
const service = 63;
const lastsMs = 7 * 86_400_000;
/** Rows a statement. */
const chunk = 5_000;

const reserveStatement: Statement = {
  name: "bench-reserve",
  text: `update accounts a set held = a.held + placed.held
    from (select payer_account_id, sum(held)::bigint as held from holds where id = any($1::uuid[])
      group by payer_account_id) placed
    where a.id = placed.payer_account_id`,
};

export async function placeHolds(session: Session, all: readonly HoldTerms[]): Promise<readonly Hold[]> {
  const at = Date.now();
  const rows = all.map((terms) => rowOf(terms, at));
  await beginTransaction(session);
  for (let first = 0; first < rows.length; first += chunk) {
    await insertRows(session, rows.slice(first, first + chunk), new Date(at).toISOString());
  }
  if (!(await session.commit())) throw new Error("The holds of the bench were rolled back.");
  return rows.map(({ hold }) => hold);
}

async function insertRows(session: Session, rows: readonly HoldRow[], at: string): Promise<void> {
  const writes = rows.map(writeOf);
  await insertRequestKeys(session, keysOfRequests(writes));
  await insertAcceptedRequests(session, writes, at);
  await insertHolds(session, rows, at);
  await session.run(reserveStatement, [`{${rows.map(({ hold }) => hold.id).join()}}`]);
}

function rowOf(terms: HoldTerms, at: number): HoldRow {
  const id = newId();
  const hold = placeHold({ ...terms, id, partnerReferenceNo: id, currency, expiresAt: at + lastsMs, at });
  return { hold, partnerReferenceKey: partnerReferenceKey(terms.partner, String(service), id) };
}

function writeOf({ hold, partnerReferenceKey: key }: HoldRow): NewAcceptedRequest {
  const { id, partner, partnerReferenceNo, merchantId, held, expiresAt, at } = hold;
  const amount = writeMoney({ amount: held, currency });
  const facts: PaymentFacts = {
    request: { partnerReferenceNo, merchantId, title: "Bench", amount },
    amount,
    expiresAt,
  };
  return {
    id,
    partner,
    service,
    externalId: id,
    externalIdKey: externalIdKey(partner, id),
    partnerReferenceKey: key,
    bodyHash,
    requestFingerprint: requestFingerprint([id]),
    facts: JSON.stringify(facts),
    freeForm: undefined,
    at,
  };
}
