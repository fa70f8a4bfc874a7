/** Code 22: large amounts, settled one by one; notification 76 reports the result. */
import { defineOperation } from "../../operation.ts";
import { payingCases } from "../../shapes/cases.ts";
import { clearingRequest, clearingResponse } from "../../shapes/transfer.ts";

export const rtgsTransfer = defineOperation({
  code: "22",
  name: "rtgsTransfer",
  path: "transfer-rtgs",
  kind: "write",
  direction: "toProvider",
  title: "Transfer by RTGS",
  description:
    "Moves a large amount to another bank, settled one by one. The response says that it was accepted; the status inquiry and the RTGS notification report the result.",
  request: clearingRequest,
  response: clearingResponse,
  cases: [...payingCases, "bankNotSupported", "featureNotAllowedAtThisTime"],
  example: {
    request: {
      partnerReferenceNo: "TRF-2026-000003",
      amount: { value: "150000000.00", currency: "IDR" },
      beneficiaryAccountNo: "1370001234567",
      beneficiaryAccountName: "PT Contoh Makmur",
      beneficiaryBankCode: "008",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      beneficiaryCustomerResidence: "1",
      beneficiaryCustomerType: "2",
      kodepos: "10110",
      senderCustomerResidence: "1",
      senderCustomerType: "2",
    },
    response: {
      referenceNo: "01JD7KAD2E3F4G5H6J7K8M9N0P",
      partnerReferenceNo: "TRF-2026-000003",
      amount: { value: "150000000.00", currency: "IDR" },
      beneficiaryAccountNo: "1370001234567",
      sourceAccountNo: "1000000001",
      transactionDate: "2026-11-21T10:00:00+07:00",
      transactionStatus: "03",
      transactionStatusDesc: "Pending",
    },
  },
});
