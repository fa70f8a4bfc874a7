/** 15: who holds an account of ours (decision D16). */
import type { RequestOf } from "@titian/contract";
import type { Handler } from "../call.ts";
import type { Reads } from "../store/reads/reads.ts";
import { refusalReply } from "./refusal-cases.ts";

export function handleInternalAccountInquiry({ reads }: { readonly reads: Reads }): Handler {
  return async (call) => {
    const { beneficiaryAccountNo } = call.request as RequestOf<"internalAccountInquiry">;
    const account = await reads.findAccountByNumber(beneficiaryAccountNo);
    if (account?.purpose !== "customer") return refusalReply({ kind: "unknownBeneficiary" });
    if (account.status === "closed") return refusalReply({ kind: "accountInactive" });
    return {
      case: "success",
      fields: {
        beneficiaryAccountName: account.name,
        beneficiaryAccountNo: account.accountNo,
        beneficiaryAccountStatus: account.status,
        beneficiaryAccountType: account.type,
        currency: account.currency,
      },
    };
  };
}
