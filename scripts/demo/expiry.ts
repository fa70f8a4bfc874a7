/** The third story: a hold that nobody captures, and time. */
import { expectMoney, placeHold, type Stay } from "./hold-steps.ts";
import { codeOf, type Stage } from "./stage.ts";

/** How long a hold lasts where neither merchant nor call says. */
const termSeconds = 7 * 86_400;

export async function playExpiry(stage: Stage, stay: Stay): Promise<void> {
  const { client, control, narrator } = stage;
  narrator.chapter("She books again, IDR 400,000 is held, and she never comes");
  const hold = await placeHold(stage, stay, "STAY-2", "400000.00");
  await expectMoney(stage, stay, hold, "after the second hold", {
    guest: ["1200000.00", "800000.00"],
    hotel: "800000.00",
    hold: "400000.00 remaining (open)",
  });
  const { expiresAt } = await control.hold(hold.referenceNo);
  narrator.chapter(`The clock is moved past its end, ${expiresAt}`);
  const { now, pending } = await control.advance(termSeconds + 1);
  narrator.tell(`It is ${now} for the whole system, and what became due has been done:`);
  narrator.expect("work left by the moved clock", "0", String(pending));
  await expectMoney(stage, stay, hold, "after its end", {
    guest: ["1200000.00", "1200000.00"],
    hotel: "800000.00",
    hold: "400000.00 expired (expired)",
  });
  const late = client.authCapture({ ...hold.references, partnerCaptureNo: "NO-SHOW-1", title: "No show" });
  narrator.expect("a capture after its end", "4046500 Invalid Transaction Status", await codeOf(late));
  const { latestTransactionStatus } = await client.authPaymentQuery({ originalReferenceNo: hold.referenceNo });
  narrator.expect("status of the second hold", "05", latestTransactionStatus);
}
