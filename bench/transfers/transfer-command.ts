/** The command of one intrabank transfer, as operation 17 makes it, without the request around it. */
import type { Command } from "../../packages/server/src/engine/command.ts";
import { businessDay } from "../../packages/server/src/ledger/business-day.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { decideIntrabankTransfer } from "../../packages/server/src/ledger/transfers/intrabank.ts";
import { commandHead } from "../command-terms.ts";
import type { Sides } from "./pick-accounts.ts";

const amount = minor(100n);
const money = { value: "1.00", currency: "IDR" };

/** A transfer of one rupiah. `id` is the external id and the partner's number: unique. */
export function transferCommand(partner: string, id: string, { from, to }: Sides): Command<unknown> {
  const request = {
    partnerReferenceNo: id,
    amount: money,
    beneficiaryAccountNo: to,
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
  };
  return {
    ...commandHead(partner, 17, id, [amount.toString(), money.currency, from, to]),
    rejectionFacts: () => JSON.stringify({ request }),
    locks: { accountNumbers: [from, to] },
    decide: (found, { now }) => {
      const order = { partner, amount, currency: money.currency, day: businessDay(now) };
      const decision = decideIntrabankTransfer(order, found.account(from), found.account(to));
      return decision.kind === "effect"
        ? { kind: "effect", effect: { ...decision.effect, facts: { request } } }
        : decision;
    },
  };
}
