/**
 * Transfers to another bank, and all that can come of them: one that settles at once, one whose rail is slow, one that
 * the rail refuses, and one whose answer is lost.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/interbank-transfer.ts         in another
 */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Attempt, type ClientOptions, createClient, isCallError, isSnapError } from "@titian/client";

interface Partner {
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly sourceAccounts: readonly [string];
}

interface Scenario {
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly outcome: string;
}

type Sandbox = Pick<ClientOptions, "baseUrl" | "pathPrefix" | "version"> & {
  readonly partners: readonly [Partner];
  readonly scenarios: readonly Scenario[];
};

/** Where the sandbox is, and the keys of its partners; with a real bank these come from onboarding. */
const file = process.argv[2] ?? ".titian/sandbox.json";
const { baseUrl, pathPrefix, version, partners, scenarios } = JSON.parse(readFileSync(file, "utf8")) as Sandbox;
const { partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts } = partners[0];

/** So that the story can lose an answer: the call arrives at the bank, and nothing comes back. */
let losesNextAnswer = false;
const client = createClient({
  baseUrl,
  pathPrefix,
  version,
  partnerId,
  channelId,
  clientKey,
  credentials: { mode: "symmetric", clientSecret, privateKey },
  fetch: async (url, request) => {
    const response = await fetch(url, request);
    if (losesNextAnswer) {
      losesNextAnswer = false;
      throw new Error("the connection broke");
    }
    return response;
  },
});

/** An account at another bank with which the sandbox's rails do something particular. */
function beneficiaryOf(outcome: string): Pick<Scenario, "beneficiaryBankCode" | "beneficiaryAccountNo"> {
  const scenario = scenarios.find((one) => one.outcome === outcome);
  if (scenario === undefined) throw new Error(`${file} has no scenario ${outcome}.`);
  return { beneficiaryBankCode: scenario.beneficiaryBankCode, beneficiaryAccountNo: scenario.beneficiaryAccountNo };
}

const orders = Date.now();

/** Prepared, it has its X-EXTERNAL-ID and its bytes before anything is sent: store it, then send it. */
function prepare(order: number, outcome: string, beneficiaryAccountName: string): Attempt<"interbankTransfer"> {
  return client.prepare("interbankTransfer", {
    partnerReferenceNo: `INV-${orders}${order}`,
    amount: { value: "250000.00", currency: "IDR" },
    ...beneficiaryOf(outcome),
    beneficiaryAccountName,
    sourceAccountNo: sourceAccounts[0],
    transactionDate: new Date().toISOString(),
  });
}

/** Asks, every second, until the rail's result is known. */
async function untilFinal(originalExternalId: string): Promise<string> {
  const inquiry = { serviceCode: "18", originalExternalId } as const;
  const { latestTransactionStatus } = await client.statusInquiryBank(inquiry);
  if (!["01", "02", "03"].includes(latestTransactionStatus)) return latestTransactionStatus;
  await setTimeout(1_000);
  return untilFinal(originalExternalId);
}

console.log("Whose account is it (16)?");
console.log(await client.externalAccountInquiry(beneficiaryOf("success")));

console.log("\nA transfer (18) that the rail carries while the call waits:");
console.log(await client.send(prepare(1, "success", "Ratna Kusuma")));

console.log("\nOne whose rail is slow: 202, the money has left the account, and nobody knows yet:");
const slow = prepare(2, "slowSuccess", "Hendra Gunawan");
const { case: caseName, responseCode, referenceNo } = await client.send(slow);
console.log({ caseName, responseCode, referenceNo });
console.log(`Its status (36), once the rail has answered: ${await untilFinal(slow.externalId)}`);

console.log("\nOne that the rail refuses, which is an answer like any other; the money is back:");
try {
  await client.send(prepare(3, "rejected", "Fitri Handayani"));
} catch (error) {
  if (!isSnapError(error, "interbankTransfer")) throw error;
  console.log({ caseName: error.caseName, responseCode: error.responseCode, isDecided: error.isDecided });
}

console.log("\nOne whose answer is lost: the same id and bytes again, and never a second transfer:");
const lost = prepare(4, "success", "Ratna Kusuma");
losesNextAnswer = true;
try {
  await client.send(lost);
} catch (error) {
  if (!isCallError(error, "interbankTransfer")) throw error;
  console.log({ code: error.code, isDecided: error.isDecided });
}
try {
  console.log(await client.repeat(lost));
} catch (error) {
  if (!isSnapError(error, "interbankTransfer")) throw error;
  const { responseCode: repeated, isDecided, latestTransactionStatus, originalResponse } = error;
  console.log({ responseCode: repeated, isDecided, latestTransactionStatus, originalResponse });
}
