/** The fourth story: money goes to another bank, online, past everything that can come of it there. */
import { beneficiaryOf, expectStatus, expectWhereabouts, type Payer, transferTo } from "./rail-steps.ts";
import { codeOf, type Stage } from "./stage.ts";

/** What a slow account takes on a simulated rail. */
const slowSeconds = 15;

export async function playInterbank(stage: Stage): Promise<Payer> {
  const payer = await openPayer(stage);
  await inquire(stage);
  await settle(stage, payer);
  await refuse(stage, payer);
  await wait(stage, payer);
  return payer;
}

async function openPayer(stage: Stage): Promise<Payer> {
  const { control, narrator, partnerId } = stage;
  narrator.chapter("A payer, and a beneficiary at another bank");
  const payer = await control.openAccount({ name: "PT Maju Bersama", balance: "200000000.00", partnerId });
  narrator.tell(`${payer.name} pays from ${payer.accountNo}. What leaves the bank waits on an account of ours first.`);
  await expectWhereabouts(stage, payer, "interbank", "before", {
    payer: "200000000.00",
    waiting: "0.00",
    carried: "0.00",
    fees: "0.00",
  });
  return payer;
}

async function inquire(stage: Stage): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("Account inquiry at another bank (16): whose account is it?");
  const { beneficiaryAccountName, beneficiaryBankName } = await client.externalAccountInquiry(
    beneficiaryOf(stage, "success"),
  );
  narrator.expect("account inquiry", "Ratna Kusuma, BCA", `${beneficiaryAccountName}, ${beneficiaryBankName ?? ""}`);
}

async function settle(stage: Stage, payer: Payer): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("Transfer (18): IDR 1,000,000, and the rail carries it while the call waits");
  const request = transferTo(stage, payer, { outcome: "success", number: "OUT-1", value: "1000000.00" });
  narrator.expect("transfer OUT-1", "2001800", await codeOf(client.interbankTransfer(request)));
  narrator.tell("The fee of 2,500 comes on top:");
  await expectWhereabouts(stage, payer, "interbank", "after OUT-1", {
    payer: "198997500.00",
    waiting: "0.00",
    carried: "1000000.00",
    fees: "2500.00",
  });
}

async function refuse(stage: Stage, payer: Payer): Promise<void> {
  const { client, narrator } = stage;
  narrator.chapter("To an account that the other bank does not have");
  const request = transferTo(stage, payer, { outcome: "unknownBeneficiary", number: "OUT-2", value: "1000000.00" });
  const answer = await codeOf(client.interbankTransfer(request));
  const refusal = "4041811 Invalid Card/Account/Customer/Virtual Account [Unknown beneficiary account]";
  narrator.expect("transfer OUT-2", refusal, answer);
  narrator.tell("It had left the payer, and amount and fee are back:");
  await expectWhereabouts(stage, payer, "interbank", "after OUT-2", {
    payer: "198997500.00",
    waiting: "0.00",
    carried: "1000000.00",
    fees: "2500.00",
  });
}

async function wait(stage: Stage, payer: Payer): Promise<void> {
  const { client, control, narrator } = stage;
  narrator.chapter("A slow rail: the call is answered before the rail is");
  const request = transferTo(stage, payer, { outcome: "slowSuccess", number: "OUT-3", value: "500000.00" });
  const answer = await client.interbankTransfer(request);
  narrator.expect("transfer OUT-3", "2021800 Request In Progress", `${answer.responseCode} ${answer.responseMessage}`);
  const { referenceNo = "" } = answer;
  await expectStatus(stage, "18", referenceNo, "02 Paying");
  await expectWhereabouts(stage, payer, "interbank", "while OUT-3 is open", {
    payer: "198495000.00",
    waiting: "502500.00",
    carried: "1000000.00",
    fees: "2500.00",
  });
  const { now } = await control.advance(slowSeconds);
  narrator.tell(`The clock is moved to ${now}: the rail has answered.`);
  await expectStatus(stage, "18", referenceNo, "00 Success");
  await expectWhereabouts(stage, payer, "interbank", "after OUT-3", {
    payer: "198495000.00",
    waiting: "0.00",
    carried: "1500000.00",
    fees: "5000.00",
  });
}
