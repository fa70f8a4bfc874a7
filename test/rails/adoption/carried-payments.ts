/** Payments that rails carried behind the moment of a copy: settled, rejected, returned, open, owed, and a bulk of which an item was not handed over. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after } from "node:test";
import { railNames } from "../../../packages/server/src/ledger/rails/terms.ts";
import { adoptAll } from "../../../packages/server/src/rails/adoption/adopt.ts";
import type { AdoptDeps, AdoptionResult } from "../../../packages/server/src/rails/adoption/adopt-deps.ts";
import type { TestNode } from "../../support/administration.ts";
import type { DatabaseCopy } from "../../support/database/copy-database.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { railRequest } from "../../support/dispatcher.ts";
import {
  forgetPayments,
  newPayer,
  payer,
  type RailNode,
  recordAhead,
  type Sent,
  urlsOf,
} from "../../support/forgotten-payments.ts";
import { suspenseNoOf } from "../../support/suspense-account.ts";

export const reason = "restored to 24 November";
const sent: Record<string, Sent> = {};
/** As it was called. */
export const sentAs = (name: string): Sent => sent[name] ?? assert.fail(name);
export const numbers: Record<string, string> = {};

async function send(node: RailNode, name: string, operation: Sent["operation"], request: Sent["request"]) {
  const freeForm = new Map([["additionalInfo", Buffer.from(`{"name":"${name}"}`)]]);
  const call = { operation, request, externalId: randomUUID(), freeForm };
  sent[name] = call;
  const { fields = {} } = await node.call(call);
  numbers[name] = String(fields["referenceNo"] ?? fields["bulkId"]);
}

const items = ["10.00", "20.00", "30.00"].map((value, position) => ({
  partnerReferenceNo: `ITEM-${position}-${randomUUID().slice(0, 8)}`,
  bankCode: "014",
  beneficiaryAccountNo: "7001",
  beneficiaryAccountName: "Ratna",
  amount: { value, currency: "IDR" },
}));
const bulk = {
  customerReference: "PAYROLL",
  partnerBulkId: randomUUID(),
  sourceAccountNo: payer,
  transactionDate: "2026-11-25T10:00:00+07:00",
  bulkObject: items,
};
export const itemNumber = (lines: readonly string[], position: number) => {
  const line = lines.find((one) => one.includes(items[position]?.partnerReferenceNo ?? "")) ?? assert.fail();
  return String(JSON.parse(line).referenceNo);
};

export const world = await forgetPayments(async (node, { linesOf, removeLine, report }) => {
  await send(node, "settled", "interbankTransfer", railRequest(payer, "1000.00"));
  await send(node, "rejected", "interbankTransfer", { ...railRequest(payer, "20000.00"), feeType: "BEN" });
  await send(node, "returned", "sknTransfer", railRequest(payer, "300000.00"));
  await send(node, "open", "rtgsTransfer", railRequest(payer, "200000000.00"));
  await send(node, "owed", "interbankTransfer", railRequest(newPayer, "4000.00"));
  await send(node, "owedRejected", "interbankTransfer", railRequest(newPayer, "5000.00"));
  await send(node, "bulk", "interbankBulkTransfer", bulk);
  await node.work(9);
  const lines = linesOf("interbank");
  const [first, second, third] = [0, 1, 2].map((position) => itemNumber(lines, position));
  // Its sender died before the line: it was never handed over, and the ledger that goes on will do so one day.
  removeLine("interbank", String(third));
  report("interbank", { referenceNo: numbers["settled"], result: "settled", traceNo: "T1" });
  report("interbank", { referenceNo: numbers["rejected"], result: "rejected", rejection: "unknownBeneficiary" });
  report("interbank", { referenceNo: numbers["owed"], result: "settled" });
  report("interbank", { referenceNo: numbers["owedRejected"], result: "rejected", rejection: "rejected" });
  report(
    "interbank",
    { referenceNo: first, result: "settled" },
    { referenceNo: second, result: "rejected", rejection: "rejected" },
  );
  report(
    "skn",
    { referenceNo: numbers["returned"], result: "settled" },
    { referenceNo: numbers["returned"], result: "returned" },
  );
  await node.work(2);
});
after(() => world[Symbol.asyncDispose]());

export const depsOf = ({ actEngine: engine, clock, reads, database }: TestNode): AdoptDeps => ({
  engine,
  clock,
  reads,
  database,
  cell: 0,
});

export async function adopt({ node }: RailNode): Promise<readonly AdoptionResult[]> {
  const results: AdoptionResult[] = [];
  for (const rail of railNames) for await (const result of adoptAll(depsOf(node), rail, reason)) results.push(result);
  return results;
}

export async function restored(): Promise<DatabaseCopy> {
  const copy = await world.restore();
  for (const rail of railNames) await recordAhead(urlsOf(copy).url, rail, world.linesOf(rail));
  return copy;
}

/** Transfers over rails in the ledger, but for times, versions, and what was answered at once. */
export const ledgerOf = (url: string) =>
  queryRows(
    url,
    `select t.id, t.service, t.state, t.amount, t.fee, t.daily_limit_amount, a.account_no, t.suspense_part, t.trace_no,
        t.reject_reason, r.external_id, r.external_id_key, r.partner_reference_key, r.request_fingerprint, r.additional_info,
        r.payload::json ->> 'request' as request, r.payload::json ->> 'amount' as debited,
        (select count(*)::int from request_keys k where k.request_id = t.id) as keys
      from transfers t join accepted_requests r on r.id = t.id join accounts a on a.id = t.source_account_id
      where a.account_no = '${payer}' and r.payload::json #>> '{request,partnerReferenceNo}' <> '${items[2]?.partnerReferenceNo}' order by t.id`,
  );
export const balancesOf = async (url: string) =>
  (await queryRows(
    url,
    `select account_no, balance from accounts where account_no not in ('${newPayer}', 'restored:IDR', 'funding:IDR')
      and balance <> 0 order by account_no`,
  )) as readonly { account_no: string; balance: string }[];

/** But for the item that was not handed over, which the ledger that goes on has on the suspense account. */
export const withoutItem = (rows: readonly { account_no: string; balance: string }[]) => {
  const item = 253_000n;
  const changed = rows.map(({ account_no, balance }) => {
    const change = account_no === payer ? item : account_no === suspenseNoOf() ? -item : 0n;
    return { account_no, balance: String(BigInt(balance) + change) };
  });
  return changed.filter(({ balance }) => balance !== "0");
};
