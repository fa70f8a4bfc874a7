/** 16: who holds an account at another bank, by the rail's directory; at ours, by our ledger (decision D16). */
import type { RequestOf } from "@titian/contract";
import type { Handler, Reply } from "../call.ts";
import type { Reference } from "../engine/reference.ts";
import { findBank } from "../ledger/find-bank.ts";
import type { Reads } from "../store/reads/reads.ts";
import type { TransferSender } from "./transfer-sender.ts";

export interface ExternalInquiryDeps {
  readonly reads: Reads;
  readonly reference: () => Reference;
  readonly sender: Pick<TransferSender, "inquireBeneficiary">;
}

const unknownAccount: Reply = { case: "invalidAccount", reason: "Unknown beneficiary account" };

export function handleExternalAccountInquiry({ reads, reference, sender }: ExternalInquiryDeps): Handler {
  return async (call) => {
    const { beneficiaryAccountNo, beneficiaryBankCode } = call.request as RequestOf<"externalAccountInquiry">;
    const bank = findBank(reference().rails, beneficiaryBankCode);
    if (!bank) return { case: "bankNotSupported" };
    if (bank === "own") return ownAccount(await reads.findAccountByNumber(beneficiaryAccountNo));
    const answer = await sender.inquireBeneficiary(bank.code, beneficiaryAccountNo);
    switch (answer.kind) {
      case "found":
        return found(beneficiaryAccountNo, answer.name, answer.currency, bank.name);
      case "unknown":
        return unknownAccount;
      case "closed":
        return { case: "inactiveAccount" };
      case "silent":
        return { case: "timeout" };
    }
  };
}

function ownAccount(account: Awaited<ReturnType<Reads["findAccountByNumber"]>>): Reply {
  if (account?.purpose !== "customer") return unknownAccount;
  if (account.status === "closed") return { case: "inactiveAccount" };
  return found(account.accountNo, account.name, account.currency, undefined);
}

function found(accountNo: string, name: string, currency: string, bankName: string | undefined): Reply {
  return {
    case: "success",
    fields: {
      beneficiaryAccountName: name,
      beneficiaryAccountNo: accountNo,
      currency,
      beneficiaryBankName: bankName,
    },
  };
}
