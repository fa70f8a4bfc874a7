/** Internal account inquiry (15): the holder of an account of ours (spec D16). */
import type { RequestOf } from "@titian/contract";
import type { Handler } from "../../interfaces/call.ts";
import type { Reads } from "../../store/reads/reads.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";
import { isAway } from "../accounts-elsewhere.ts";
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
    if (isAway(account, beneficiaryAccountNo, reference().directory)) return tryLater;
    if (account?.purpose !== "customer") return rejectionReply({ kind: "unknownBeneficiary" });
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
