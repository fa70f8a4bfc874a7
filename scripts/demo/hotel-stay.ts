/** The second story: a hotel holds a deposit, charges it in parts, releases what it does not need, and gives some back. */
import { expectMoney, placeHold, type PlacedHold, type Stay, tellBalances } from "./hold-steps.ts";
import { codeOf, idr, type Stage } from "./stage.ts";

export async function playHotelStay(stage: Stage): Promise<Stay> {
  const stay = await openGuest(stage);
  const hold = await checkIn(stage, stay);
  const [, minibarNo] = await chargeTwice(stage, stay, hold);
  await leaveEarly(stage, stay, hold);
  await checkOut(stage, stay, hold);
  await refundTwice(stage, stay, hold, minibarNo);
  await askStatus(stage, hold);
  return stay;
}

async function openGuest({ control, narrator, partnerId, merchant }: Stage): Promise<Stay> {
  narrator.chapter("A guest and a hotel");
  const guest = await control.openAccount({ name: "Dewi Lestari", balance: "2000000.00", partnerId });
  const { merchantId, settlementAccountNo: hotelAccountNo } = merchant;
  const { name, ledgerBalance } = await control.account(hotelAccountNo);
  narrator.tell(
    `${guest.name} pays from ${guest.accountNo}. The merchant ${merchantId} is paid on ${name}'s ${hotelAccountNo}.`,
  );
  const found = tellBalances([guest.ledgerBalance, guest.availableBalance], ledgerBalance);
  narrator.expect("money before", "guest 2000000.00, available 2000000.00; hotel 0.00", found);
  return { guest, merchantId, hotelAccountNo };
}

async function checkIn(stage: Stage, stay: Stay): Promise<PlacedHold> {
  stage.narrator.chapter("Check-in: a hold (63) of IDR 1,500,000");
  const hold = await placeHold(stage, stay, "STAY-1", "1500000.00");
  stage.narrator.tell("Nothing has moved: the ledger balance stands, the available balance is lower.");
  await expectMoney(stage, stay, hold, "after the hold", {
    guest: ["2000000.00", "500000.00"],
    hotel: "0.00",
    hold: "1500000.00 remaining (open)",
  });
  return hold;
}

/** Answers with our numbers of both captures. */
async function chargeTwice(stage: Stage, stay: Stay, hold: PlacedHold): Promise<readonly (string | undefined)[]> {
  stage.narrator.chapter("The first night: a capture (65) of IDR 600,000");
  const night = await capture(stage, hold, "NIGHT-1", "600000.00");
  await expectMoney(stage, stay, hold, "after the night", {
    guest: ["1400000.00", "500000.00"],
    hotel: "600000.00",
    hold: "600000.00 captured + 900000.00 remaining (partlyCaptured)",
  });
  stage.narrator.chapter("The minibar: a second capture, of IDR 75,000");
  const minibar = await capture(stage, hold, "MINIBAR-1", "75000.00");
  await expectMoney(stage, stay, hold, "after the minibar", {
    guest: ["1325000.00", "500000.00"],
    hotel: "675000.00",
    hold: "675000.00 captured + 825000.00 remaining (partlyCaptured)",
  });
  return [night, minibar];
}

async function leaveEarly(stage: Stage, stay: Stay, hold: PlacedHold): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("She leaves a night early: IDR 500,000 is released by a void (67)");
  const released = client.authVoid({ ...hold.references, partnerVoidNo: "EARLY-1", voidAmount: idr("500000.00") });
  narrator.expect("void EARLY-1", "2006700", await codeOf(released));
  await expectMoney(stage, stay, hold, "after the void", {
    guest: ["1325000.00", "1000000.00"],
    hotel: "675000.00",
    hold: "675000.00 captured + 500000.00 voided + 325000.00 remaining (partlyCaptured)",
  });
}

async function checkOut(stage: Stage, stay: Stay, hold: PlacedHold): Promise<void> {
  const { narrator } = stage;
  narrator.chapter("Check-out: the last capture, of IDR 300,000");
  await capture(stage, hold, "NIGHT-2", "300000.00", "true");
  narrator.tell("lastCapture releases the 25,000 that are left. The hold is closed:");
  await expectMoney(stage, stay, hold, "after the last capture", {
    guest: ["1025000.00", "1025000.00"],
    hotel: "975000.00",
    hold: "975000.00 captured + 525000.00 voided (captured)",
  });
  const late = stage.client.authCapture({ ...hold.references, partnerCaptureNo: "LATE-1", title: "Laundry" });
  narrator.expect("a capture after the last", "4046500 Invalid Transaction Status", await codeOf(late));
}

async function refundTwice(stage: Stage, stay: Stay, hold: PlacedHold, minibarNo: string | undefined): Promise<void> {
  const { client, narrator } = stage;
  const { originalPartnerReferenceNo } = hold.references;
  narrator.chapter("It was not her minibar: a refund (69) of that capture, by our number of it");
  const minibar = client.authRefund({
    originalPartnerReferenceNo,
    partnerRefundNo: "BACK-1",
    ...(minibarNo !== undefined && { originalCaptureNo: minibarNo }),
  });
  narrator.expect("refund BACK-1", "2006900", await codeOf(minibar));
  await expectMoney(stage, stay, hold, "after the first refund", {
    guest: ["1100000.00", "1100000.00"],
    hotel: "900000.00",
    hold: "975000.00 captured + 525000.00 voided; 75000.00 refunded (captured)",
  });
  narrator.chapter("And IDR 100,000 for the noise: the oldest captures give it back");
  const noise = client.authRefund({
    originalPartnerReferenceNo,
    partnerRefundNo: "BACK-2",
    refundAmount: idr("100000.00"),
    reason: "Noise",
  });
  narrator.expect("refund BACK-2", "2006900", await codeOf(noise));
  await expectMoney(stage, stay, hold, "after the second refund", {
    guest: ["1200000.00", "1200000.00"],
    hotel: "800000.00",
    hold: "975000.00 captured + 525000.00 voided; 175000.00 refunded (captured)",
  });
}

async function askStatus({ client, narrator }: Stage, { referenceNo }: PlacedHold): Promise<void> {
  narrator.chapter("Payment query (64): what became of it all");
  const { latestTransactionStatus, amount } = await client.authPaymentQuery({ originalReferenceNo: referenceNo });
  narrator.expect("status of the stay", "00, 1500000.00 held", `${latestTransactionStatus}, ${amount?.value} held`);
}

/** A capture that must succeed; answers with our number of it. */
async function capture(
  { client, narrator }: Stage,
  { references }: PlacedHold,
  partnerCaptureNo: string,
  value: string,
  lastCapture: "true" | "false" = "false",
): Promise<string | undefined> {
  const request = {
    ...references,
    partnerCaptureNo,
    title: "Room 12",
    captureAmount: idr(value),
    lastCapture,
  } as const;
  const answer = client.authCapture(request);
  narrator.expect(`capture ${partnerCaptureNo}`, "2006500", await codeOf(answer));
  return (await answer).captureNo;
}
