/** The third step: the partner calls every operation by the client's package, on both nodes, and is told of results. */
import assert from "node:assert/strict";
import { type OperationName, operationRows } from "@titian/contract";
import type { CallName, Client } from "@titian/client";
import { accounts, credentialsOf, type Day, timeUntil } from "./day.ts";
import { at, clearing, interbankTo, rupiah, statusOf, within } from "./bodies.ts";
import { done } from "./people.ts";
import { callHolds } from "./hold-operations.ts";
import { otherBank } from "./rail-side.ts";
import { clientAt, expectCode } from "./shop.ts";

/** Notes each operation that was called, so that none is forgotten. */
export type Called = Set<OperationName>;

const notified = ["bulkNotification", "rtgsNotification", "sknNotification"] as const;

export async function callAllOperations(day: Day): Promise<string> {
  const { shop } = day;
  const [first, second] = day.nodes.baseUrls.map((url) => clientAt(url, credentialsOf(day)));
  assert.ok(first && second);
  const called: Called = new Set();
  const call = noting(called);
  await call("accessTokenB2b", "2007300", first.accessTokenB2b({ grantType: "client_credentials" }));
  const { customerToken } = await askForToken(day, call, second);
  await callTransfers(day, call, first, second);
  await callHolds(call, first, second, customerToken);
  const took = await untilNotified(day, notified.length);
  for (const name of notified) called.add(name);
  assert.deepEqual(shop.received.map(({ serviceCode }) => serviceCode).toSorted(), ["21", "75", "76"]);
  const missing = operationRows.map(({ name }) => name).filter((name) => !called.has(name));
  assert.deepEqual(missing, [], "operations that nobody called");
  return `${called.size} operations with their response codes on both nodes, ${notified.length} of them received ${took} ms after the last call`;
}

/** Milliseconds until so many notifications have come. One whose first attempt failed comes again after a while. */
async function untilNotified({ people, shop, staff }: Day, count: number): Promise<number> {
  try {
    return await timeUntil(90_000, async () => shop.received.length >= count);
  } catch (error) {
    const { stdout } = await people.titian(staff.operator, "notification", "list");
    throw new Error(`${count} notifications were due:\n${stdout}`, { cause: error });
  }
}

export type Call = <Response extends { readonly raw: string }>(
  name: CallName,
  code: string,
  call: Promise<Response>,
) => Promise<Response>;

function noting(called: Called): Call {
  return async (name, code, call) => {
    const response = await expectCode(code, call);
    called.add(name);
    return response;
  };
}

/** With the holder's consent, which the bank's own channel asks for. */
async function askForToken(day: Day, call: Call, client: Client): Promise<{ readonly customerToken: string }> {
  const terms = ["--partner", "SHOP01", "--account", accounts.payer];
  const authCode = done(await day.consentChannel("auth-code", "new", ...terms)).trim();
  const grant = { grantType: "authorization_code", authCode } as const;
  const { accessToken } = await call("accessTokenB2b2c", "2007400", client.accessTokenB2b2c(grant));
  return { customerToken: accessToken };
}

async function callTransfers(day: Day, call: Call, first: Client, second: Client): Promise<void> {
  const { accountNo, bankCode, name } = otherBank;
  const [sourceAccountNo, transactionDate] = [accounts.payer, at()];
  await call(
    "internalAccountInquiry",
    "2001500",
    first.internalAccountInquiry({ beneficiaryAccountNo: accounts.other }),
  );
  const beneficiary = { beneficiaryAccountNo: accountNo, beneficiaryBankCode: bankCode };
  const found = await call("externalAccountInquiry", "2001600", second.externalAccountInquiry(beneficiary));
  assert.equal(found.beneficiaryAccountName, name);
  const common = { sourceAccountNo, transactionDate };
  await call("intrabankTransfer", "2001700", first.intrabankTransfer(within("D-17", "1000.00")));
  await call("interbankTransfer", "2001800", second.interbankTransfer(interbankTo(accountNo, "D-18", "20000.00")));
  await requestPayment(day, call, first);
  const items = ["1", "2"].map((index) => ({
    partnerReferenceNo: `D-20-${index}`,
    bankCode,
    beneficiaryAccountNo: accountNo,
    beneficiaryAccountName: name,
    amount: rupiah("4500.00"),
  }));
  const bulk = { ...common, customerReference: "PAYROLL", partnerBulkId: "D-20", currency: "IDR", bulkObject: items };
  await call("interbankBulkTransfer", "2002000", first.interbankBulkTransfer(bulk));
  await call("rtgsTransfer", "2002200", second.rtgsTransfer(clearing("D-22", "150000.00")));
  await call("sknTransfer", "2002300", first.sknTransfer(clearing("D-23", "150000.00")));
  const status = await call("statusInquiryBank", "2003600", first.statusInquiryBank(statusOf("D-18")));
  const same = await call("statusInquiryNonBank", "2005300", second.statusInquiryNonBank(statusOf("D-18")));
  assert.deepEqual([status.latestTransactionStatus, same.latestTransactionStatus], ["00", "00"]);
}

/** 19, which the payer approves in the bank's own channel. */
async function requestPayment(day: Day, call: Call, client: Client): Promise<void> {
  const request = {
    partnerReferenceNo: "D-19",
    bankCode: "008",
    beneficiaryAccountNo: accounts.shop,
    beneficiaryAccountName: "Toko Sejahtera",
    sourceAccountNo: accounts.other,
    sourceAccountName: "Budi Hartono",
    expiredDatetime: at(Date.now() + 3_600_000),
    amount: rupiah("7500.00"),
  };
  const { referenceNo = "" } = await call("requestForPayment", "2001900", client.requestForPayment(request));
  assert.match(done(await day.consentChannel("payment-request", "approve", referenceNo, "--yes")), /approved/);
}
