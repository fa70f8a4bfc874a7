/** The first story: two people, one transfer, and everything that can be asked about it afterwards. */
import { type Attempt, isSnapError } from "@titian/client";
import { formatTimestamp, type RequestOf } from "@titian/contract";
import type { ControlAccount } from "../support/control-api.ts";
import { codeOf, idr, type Stage } from "./stage.ts";

interface Cast {
  readonly siti: ControlAccount;
  readonly budi: ControlAccount;
}

type Transfer = RequestOf<"intrabankTransfer">;

export async function playTransfer(stage: Stage): Promise<void> {
  const cast = await openAccounts(stage);
  await inquire(stage, cast);
  const attempt = await pay(stage, cast);
  await overdraw(stage, cast);
  await payAgain(stage, cast, attempt);
  await reuseNumber(stage, attempt);
  await askStatus(stage, attempt);
  await showEntries(stage, cast);
}

async function openAccounts({ control, narrator, partnerId }: Stage): Promise<Cast> {
  narrator.chapter("Two accounts");
  const siti = await control.openAccount({ name: "Siti Nur Aini", balance: "1000000.00", partnerId });
  const budi = await control.openAccount({ name: "Budi Santoso", balance: "0.00" });
  narrator.tell(`Siti's ${siti.accountNo}, which the partner ${partnerId} may debit, and Budi's ${budi.accountNo}.`);
  await expectBalances({ control, narrator }, { siti, budi }, "accounts opened", "1000000.00 / 0.00");
  return { siti, budi };
}

async function inquire({ client, narrator }: Stage, { budi }: Cast): Promise<void> {
  narrator.chapter("Account inquiry (15): whose account is it?");
  const { beneficiaryAccountName } = await client.internalAccountInquiry({ beneficiaryAccountNo: budi.accountNo });
  narrator.expect("account inquiry", "Budi Santoso", beneficiaryAccountName);
}

async function pay(stage: Stage, cast: Cast): Promise<Attempt<"intrabankTransfer">> {
  const { client, narrator } = stage;
  narrator.chapter("Transfer (17): IDR 250,000 from Siti to Budi");
  const attempt = client.prepare("intrabankTransfer", transferOf(cast, "DEMO-1", "250000.00"));
  narrator.tell(`Signed, and sent with X-EXTERNAL-ID ${attempt.externalId}.`);
  narrator.expect("transfer", "2001700", await codeOf(client.send(attempt)));
  await expectBalances(stage, cast, "balances after the transfer", "750000.00 / 250000.00");
  return attempt;
}

async function overdraw(stage: Stage, cast: Cast): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("A transfer that Siti cannot afford: IDR 900,000");
  const answer = codeOf(client.intrabankTransfer(transferOf(cast, "DEMO-2", "900000.00")));
  narrator.expect("transfer beyond the balance", "4031714 Insufficient Funds", await answer);
  await expectBalances(stage, cast, "balances after the refusal", "750000.00 / 250000.00");
}

async function payAgain(stage: Stage, cast: Cast, attempt: Attempt<"intrabankTransfer">): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("The first transfer once more, with its X-EXTERNAL-ID, as after a lost answer");
  try {
    await client.repeat(attempt);
    narrator.expect("repeated transfer", "4091700 Conflict", "a second transfer");
  } catch (error) {
    if (!isSnapError(error, "intrabankTransfer")) throw error;
    narrator.expect("repeated transfer", "4091700 Conflict", `${error.responseCode} ${error.responseMessage}`);
    narrator.tell("The answer carries the first one, and what became of the transfer:");
    const original = `${error.originalResponse?.responseCode} and status ${error.latestTransactionStatus}`;
    narrator.expect("the first answer in it", "2001700 and status 00", original);
  }
  await expectBalances(stage, cast, "balances after the repeat", "750000.00 / 250000.00");
}

async function reuseNumber({ client, narrator }: Stage, { body }: Attempt): Promise<void> {
  narrator.chapter("The same partnerReferenceNo under new external ids");
  const transfer = parseTransfer(body);
  narrator.tell("The same transfer again is told from another one that took its number:");
  const same = await codeOf(client.intrabankTransfer(transfer));
  narrator.expect("same number, same content", "4091701 Duplicate partnerReferenceNo", same);
  const amount = idr("999.00");
  const other = await codeOf(client.intrabankTransfer({ ...transfer, amount }));
  narrator.expect("same number, other content", "4041718 Inconsistent Request", other);
}

async function askStatus({ client, narrator }: Stage, { externalId }: Attempt): Promise<void> {
  narrator.chapter("Status inquiry (36), by the transfer's external id");
  const { latestTransactionStatus, transactionStatusDesc, referenceNumber } = await client.statusInquiryBank({
    serviceCode: "17",
    originalExternalId: externalId,
  });
  narrator.tell(`Our number of it is ${referenceNumber} (${transactionStatusDesc ?? "no description"}).`);
  narrator.expect("status of the transfer", "00", latestTransactionStatus);
}

async function showEntries({ control, narrator }: Stage, { siti, budi }: Cast): Promise<void> {
  narrator.chapter("What the ledger wrote: every movement has two sides");
  const expected = { siti: "+1000000.00 -250000.00", budi: "+250000.00" };
  for (const [name, account] of [
    ["siti", siti],
    ["budi", budi],
  ] as const) {
    const { entries } = await control.entries(account.accountNo);
    for (const { direction, amount, balanceAfter, referenceNo } of entries.toReversed()) {
      narrator.tell(
        `${account.name.padEnd(14)} ${direction.padEnd(6)} ${amount.padStart(11)} -> ${balanceAfter.padStart(11)}  ${referenceNo}`,
      );
    }
    const signed = entries.map(({ direction, amount }) => `${direction === "debit" ? "-" : "+"}${amount}`).toReversed();
    narrator.expect(`entries of ${account.name}`, expected[name], signed.join(" "));
  }
}

async function expectBalances(
  { control, narrator }: Pick<Stage, "control" | "narrator">,
  { siti, budi }: Cast,
  step: string,
  expected: string,
): Promise<void> {
  const balances = [await control.account(siti.accountNo), await control.account(budi.accountNo)];
  narrator.expect(step, expected, balances.map(({ ledgerBalance }) => ledgerBalance).join(" / "));
}

function transferOf({ siti, budi }: Cast, partnerReferenceNo: string, value: string): Transfer {
  return {
    partnerReferenceNo,
    amount: idr(value),
    sourceAccountNo: siti.accountNo,
    beneficiaryAccountNo: budi.accountNo,
    transactionDate: formatTimestamp(Date.now()),
  };
}

/** An attempt keeps the text that was signed: this is the request again. */
function parseTransfer(body: string): Transfer {
  return JSON.parse(body) as Transfer;
}
