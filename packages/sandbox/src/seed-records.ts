/**
 * Records that a new sandbox begins with, of its first partner: a payment of which a part is captured and another released,
 * and a transfer. Whatever starts from a record has one, so that each sample and each documented example works at once. Made
 * again, they are repeats of themselves.
 */
import { carryOut, type CarryOutDeps, type WriteOfPartner } from "@titian/server/admin";
import { formatTimestamp } from "@titian/contract";
import { seededBeneficiaries, type SeededPartner } from "./seed-data.ts";

const idr = (value: string) => ({ value, currency: "IDR" });

export async function seedRecords(
  deps: CarryOutDeps,
  { partnerId, merchants, sourceAccounts }: SeededPartner,
): Promise<void> {
  const write = (operation: WriteOfPartner["operation"], externalId: string, request: WriteOfPartner["request"]) =>
    carryOut(deps, { partnerId, operation, externalId, request });
  const [{ merchantId } = { merchantId: "" }] = merchants;
  const payment = {
    partnerReferenceNo: "10000000000000000001",
    merchantId,
    title: "Three nights",
    amount: idr("500000.00"),
  };
  const { referenceNo } = await write("authPayment", "10000000000000000001", payment);
  const about = {
    originalReferenceNo: referenceNo,
    originalPartnerReferenceNo: payment.partnerReferenceNo,
    merchantId,
  };
  const capture = { partnerCaptureNo: "10000000000000000002", title: "First night", captureAmount: idr("150000.00") };
  await write("authCapture", "10000000000000000002", { ...about, ...capture });
  const release = { partnerVoidNo: "10000000000000000003", voidAmount: idr("50000.00"), reason: "One night less" };
  await write("authVoid", "10000000000000000003", { ...about, ...release });
  await write("intrabankTransfer", "10000000000000000004", {
    partnerReferenceNo: "10000000000000000004",
    amount: idr("250000.00"),
    sourceAccountNo: sourceAccounts[3]?.accountNo,
    beneficiaryAccountNo: seededBeneficiaries[2]?.accountNo,
    transactionDate: formatTimestamp(deps.clock.now()),
    remark: "Room service",
  });
}
