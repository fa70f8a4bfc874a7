/** Internal account inquiry (15): the holder of an account of ours (spec D16). */
import type { RequestOf } from "@titian/contract";
import type { Handler } from "../../interfaces/call.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { isElsewhere } from "../../ledger/accounts/account.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";
import { rejectionReply } from "../rejection-cases.ts";
import { tryLater } from "../write.ts";

interface Deps {
  readonly reads: Reads;
  readonly reference: () => Pick<Reference, "directory">;
}

export function handleInternalAccountInquiry({ reads, reference }: Deps): Handler {
  return async (call) => {
    const { beneficiaryAccountNo } = call.request as RequestOf<"internalAccountInquiry">;
    const account = await reads.findAccountByNumber(beneficiaryAccountNo);
    // A cell that was restored has lost it, and it is opened anew.
    if (account === undefined && reference().directory.moved.has(beneficiaryAccountNo)) return tryLater;
    if (account?.purpose !== "customer") return rejectionReply({ kind: "unknownBeneficiary" });
    if (isElsewhere(account)) return tryLater;
    if (account.status === "closed") return rejectionReply({ kind: "accountInactive" });
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
