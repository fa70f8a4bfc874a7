/** External account inquiry (16): the holder, from the rail; of an account of ours, from the ledger (spec D16). */
import { RailAccountNo, type RequestOf } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { isAway } from "../accounts-elsewhere.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { rejectionReply } from "../rejection-cases.ts";
import { tryLater } from "../write.ts";
import type { TransferSender } from "../../interfaces/transfer-sender.ts";

export interface ExternalInquiryDeps {
  readonly reads: Reads;
  readonly reference: () => Reference;
  readonly sender: Pick<TransferSender, "inquireBeneficiary">;
  readonly readShares: PartnerShares;
  /** For calls that wait for the rail: a rail that does not respond delays no reads. */
  readonly inquiryShares: PartnerShares;
}

const unknownAccount = rejectionReply({ kind: "unknownBeneficiary" });
const closedAccount = rejectionReply({ kind: "accountInactive" });
const unknownBank = rejectionReply({ kind: "bankUnknown" });

export function handleExternalAccountInquiry(deps: ExternalInquiryDeps): Handler {
  const { reads, reference, sender, readShares, inquiryShares } = deps;
  return async (call) => {
    const partner = call.partner.key;
    const { beneficiaryAccountNo, beneficiaryBankCode } = call.request as RequestOf<"externalAccountInquiry">;
    const bank = findBank(reference().rails, beneficiaryBankCode);
    if (bank !== "own" && RailAccountNo.read(beneficiaryAccountNo) === undefined) return notCarried(call);
    if (!bank) return unknownBank;
    if (bank === "own") {
      const find = async () => {
        const account = await reads.findAccountByNumber(beneficiaryAccountNo);
        return isAway(account, beneficiaryAccountNo, reference().directory) ? tryLater : internalAccount(account);
      };
      return (await readShares.run(partner, find)) ?? tryLater;
    }
    const inquire = () => sender.inquireBeneficiary(bank.code, beneficiaryAccountNo);
    const result = await inquiryShares.run(partner, inquire);
    switch (result?.kind) {
      case undefined:
        return tryLater;
      case "found":
        return found(beneficiaryAccountNo, result.name, result.currency, bank.name);
      case "unknown":
        return unknownAccount;
      case "closed":
        return closedAccount;
      case "unavailable":
        return { case: "timeout" };
    }
  };
}

/** The number of an account at another bank has characters that no rail carries (spec D5): only the rest is echoed. */
function notCarried({ request, freeForm }: Call): Reply {
  return {
    case: "invalidFieldFormat",
    field: "beneficiaryAccountNo",
    echo: false,
    fields: { partnerReferenceNo: request["partnerReferenceNo"], additionalInfo: freeForm.get("additionalInfo") },
  };
}

function internalAccount(account: Awaited<ReturnType<Reads["findAccountByNumber"]>>): Reply {
  if (account?.purpose !== "customer") return unknownAccount;
  if (account.status === "closed") return closedAccount;
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
