/** The fifth story: RTGS and SKN on a working day, one by one and in a batch, and money that comes back. */
import { formatTimestamp, parseTimestamp } from "@titian/contract";
import { loadRailData } from "../../packages/server/src/admin/rail-data.ts";
import { businessDay, instantOf } from "../../packages/server/src/ledger/business-day.ts";
import { isWorkingDay } from "../../packages/server/src/ledger/rail-hours.ts";
import { expectStatus, expectWhereabouts, type Payer, transferTo } from "./rail-steps.ts";
import { codeOf, type Stage } from "./stage.ts";

/** What 22 and 23 want to know beside: a resident, a company. */
const residence = { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "2" } as const;

const morning = 9 * 60 + 30;
const batch = 10 * 60;

export async function playSettlements(stage: Stage, payer: Payer): Promise<void> {
  const day = await goToWorkingDay(stage);
  await sendByRtgs(stage, payer);
  const referenceNo = await sendBySkn(stage, payer);
  await settleBatch(stage, payer, { day, referenceNo });
  await giveBack(stage, payer, referenceNo);
}

/** Rails with hours are closed on weekends and holidays. Answers with the business day. */
async function goToWorkingDay({ control, narrator }: Stage): Promise<number> {
  narrator.chapter("A working day: RTGS and SKN are open from 06:30 to 16:30");
  const { holidays } = loadRailData({ ownBankCode: "999" });
  const now = parseTimestamp((await control.advance(0)).now) ?? 0;
  let day = businessDay(now) + 1;
  while (!isWorkingDay(instantOf(day, morning), holidays)) day += 1;
  const moved = await control.setTime(formatTimestamp(instantOf(day, morning)));
  narrator.tell(`The clock is moved to ${moved.now}.`);
  narrator.expect("work left by the moved clock", "0", String(moved.pending));
  return day;
}

async function sendByRtgs(stage: Stage, payer: Payer): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("RTGS (22): IDR 150,000,000, settled one by one");
  const request = transferTo(stage, payer, { outcome: "success", number: "LARGE-1", value: "150000000.00" });
  const answer = client.rtgsTransfer({ ...request, ...residence });
  narrator.expect("transfer LARGE-1", "2002200", await codeOf(answer));
  const { referenceNo = "", transactionStatus, transactionStatusDesc } = await answer;
  narrator.expect("its status in the answer", "03 Pending", `${transactionStatus} ${transactionStatusDesc}`);
  await expectStatus(stage, "22", referenceNo, "00 Success");
  await expectWhereabouts(stage, payer, "rtgs", "after LARGE-1", {
    payer: "48470000.00",
    waiting: "0.00",
    carried: "150000000.00",
    fees: "25000.00",
  });
}

/** Answers with our number of it. */
async function sendBySkn(stage: Stage, payer: Payer): Promise<string> {
  const { client, narrator } = stage;
  narrator.chapter("SKN (23): IDR 5,000,000, which wait for the batch of 10:00");
  const request = transferTo(stage, payer, { outcome: "success", number: "BATCH-1", value: "5000000.00" });
  const answer = client.sknTransfer({ ...request, ...residence });
  narrator.expect("transfer BATCH-1", "2002300", await codeOf(answer));
  const { referenceNo = "" } = await answer;
  await expectStatus(stage, "23", referenceNo, "03 Pending");
  await expectWhereabouts(stage, payer, "skn", "while BATCH-1 waits", {
    payer: "43467100.00",
    waiting: "5002900.00",
    carried: "0.00",
    fees: "0.00",
  });
  return referenceNo;
}

async function settleBatch(
  stage: Stage,
  payer: Payer,
  { day, referenceNo }: { readonly day: number; readonly referenceNo: string },
): Promise<void> {
  const { control, narrator } = stage;
  const { now } = await control.setTime(formatTimestamp(instantOf(day, batch)));
  narrator.chapter(`The clock is moved to ${now}: the batch settles`);
  await expectStatus(stage, "23", referenceNo, "00 Success");
  await expectWhereabouts(stage, payer, "skn", "after the batch", {
    payer: "43467100.00",
    waiting: "0.00",
    carried: "5000000.00",
    fees: "2900.00",
  });
}

async function giveBack(stage: Stage, payer: Payer, referenceNo: string): Promise<void> {
  const { control, narrator } = stage;
  narrator.chapter("The beneficiary's bank sends it back: a return after settlement");
  narrator.expect("return of BATCH-1", "returned", (await control.returnTransfer(referenceNo)).state);
  await expectStatus(stage, "23", referenceNo, "04 Refunded");
  narrator.tell("What travelled is back, the fee stays:");
  await expectWhereabouts(stage, payer, "skn", "after the return", {
    payer: "48467100.00",
    waiting: "0.00",
    carried: "0.00",
    fees: "2900.00",
  });
}
