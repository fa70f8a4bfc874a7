/** Intrabank transfer (17): final in one commit (spec D11). */
import { operations } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { businessDay } from "../../ledger/business-day.ts";
import { reject } from "../../ledger/rejection.ts";
import { decideIntrabankTransfer } from "../../ledger/transfers/intrabank.ts";
import type { TransferPayload } from "../stored-payload.ts";
import { amountFingerprint, readMoney, writeMoney } from "../money.ts";
import { keptFields, write, type WriteSpec } from "../write.ts";

export const intrabankTransfer: WriteSpec<"intrabankTransfer", TransferPayload> = {
  fingerprint: ({ request: { amount, sourceAccountNo, beneficiaryAccountNo } }) => [
    ...amountFingerprint(amount),
    sourceAccountNo,
    beneficiaryAccountNo,
  ],
  locks: ({ request }) => ({ accountNumbers: [request.sourceAccountNo, request.beneficiaryAccountNo] }),
  decide: ({ request, partner }, found, { now }) => {
    const money = readMoney(request.amount);
    if (!money) return reject("currencyMismatch", "amount.value");
    const decision = decideIntrabankTransfer(
      { ...money, partner, day: businessDay(now) },
      found.account(request.sourceAccountNo),
      found.account(request.beneficiaryAccountNo),
    );
    if (decision.kind !== "effect") return decision;
    const payload: TransferPayload = { request: { ...keptFields(request), amount: writeMoney(money) } };
    return { kind: "effect", effect: { ...decision.effect, payload } };
  },
  response: ({ request }: TransferPayload, { id }) => ({ referenceNo: toReferenceNo(id), ...request }),
  latestStatus: () => "00",
};

export const handleIntrabankTransfer = write(operations.intrabankTransfer, intrabankTransfer);
