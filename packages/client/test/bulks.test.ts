/** Payments in bulk against responses of the test: repeats, pauses, rejections, the results of payments. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import {
  type BulkOrder,
  BulkRejectedError,
  createClient,
  isSnapError,
  payInBulk,
  type PayInBulkOptions,
} from "../src/index.ts";
import { symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch, type Sent } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { rejected } from "./helpers/transfer.ts";
import { paySalaries } from "./readme/pay-salaries.ts";

const order: BulkOrder = {
  name: "LIST",
  sourceAccountNo: "1000000001",
  payments: Array.from({ length: 5 }, (_, index) => ({
    bankCode: "014",
    beneficiaryAccountNo: `880000000${index}`,
    beneficiaryAccountName: "Siti",
    amount: { value: "10000.00", currency: "IDR" },
  })),
};

const accepted = () => ({
  responseCode: "2002000",
  responseMessage: "Successful",
  bulkId: "01B",
  partnerBulkId: "LIST-B1",
});
const acceptedBefore = (partnerBulkId = "LIST-B1") =>
  rejected(
    "conflict",
    {
      fields: { additionalInfo: { originalResponse: { ...accepted(), partnerBulkId }, latestTransactionStatus: "03" } },
    },
    "20",
  );

const status = (latestTransactionStatus: string, additionalInfo: object) =>
  json(200, {
    ...operations.statusInquiryBank.example.response,
    responseCode: "2003600",
    responseMessage: "Successful",
    latestTransactionStatus,
    additionalInfo,
  });
const counts = (open: number, rejectedOnes = 0, returned = 0) =>
  status(open > 0 ? "03" : "00", {
    fee: "12500.00",
    openCount: `${open}`,
    rejectedCount: `${rejectedOnes}`,
    returnedCount: `${returned}`,
  });

const isBulk = ({ path }: Sent) => path.endsWith("/transfer-interbank-bulk");
const inquired = ({ body }: Sent): string => JSON.parse(body).originalPartnerReferenceNo;

/** Pays the list; `sends` are the responses to the bulk in order, `inquire` has those to inquiries. */
async function pay(sends: (() => Response)[], inquire: (number: string) => Response, options: PayInBulkOptions = {}) {
  const { fetch, calls } = recordingFetch((sent) => {
    return isBulk(sent) ? (sends.shift() ?? (() => assert.fail("one send too many")))() : inquire(inquired(sent));
  });
  const result = payInBulk(createClient({ ...symmetric, fetch }), order, { pollMs: 1, ...options });
  return { result, calls };
}

test("a busy provider and a lost response are met by repeats of the same call, newly signed", async () => {
  const busy = () => rejected("serviceUnavailable", { headers: { "retry-after": "0" } }, "20");
  const lost = () => {
    throw new Error("the connection broke");
  };
  const pauses: number[] = [];
  const onRetry = (_error: unknown, pauseMs: number) => void pauses.push(pauseMs);
  const { result, calls } = await pay([busy, lost, () => acceptedBefore()], () => counts(0), { onRetry });
  const report = await result;
  assert.deepEqual(report.counts, { settled: 5, rejected: 0, returned: 0, open: 0 });
  // Accepted by the lost one, or an earlier call: not said to be a repeat.
  assert.deepEqual(report.bulks, [{ partnerBulkId: "LIST-B1", bulkId: "01B", isRepeat: false, fee: "12500.00" }]);
  const sends = calls.filter(isBulk);
  assert.equal(new Set(sends.map(({ body }) => body)).size, 1);
  assert.equal(new Set(sends.map(({ headers }) => headers["X-EXTERNAL-ID"])).size, 1);
  assert.equal(new Set(sends.map(({ headers }) => headers["X-SIGNATURE"])).size, 3);
  assert.deepEqual(pauses, [0, 1_000]);
  assert.equal(calls.length, 4, "no payment is asked for");
});

test("a bulk that a former run sent is followed, and the report says that nothing new was paid", async () => {
  const { result } = await pay([() => acceptedBefore()], () => counts(0));
  assert.equal((await result).isRepeat, true);
});

test("a rejection names the payment; so does one of a number that another bulk has used", async () => {
  const field = "bulkObject[3].bankCode";
  for (const response of [rejected("invalidFieldFormat", { field }, "20"), acceptedBefore("OTHER-B1")]) {
    const { result } = await pay([() => response], () => assert.fail("nothing to follow"));
    const error = await rejection(result);
    assert.ok(error instanceof BulkRejectedError);
    assert.equal(error.partnerBulkId, "LIST-B1");
    if (error.cause.caseName === "conflict") continue;
    assert.equal(error.index, 3);
    assert.match(error.message, /^bulk LIST-B1, payments\[3\] LIST-000004: Invalid Field Format .*\(4002001\)$/);
  }
});

test("a rejection before processing does not settle the outcome of a send whose response was lost", async () => {
  const lost = () => {
    throw new Error("the connection broke");
  };
  const { result } = await pay([lost, () => rejected("unauthorized", {}, "20")], () =>
    assert.fail("nothing to follow"),
  );
  const error = await rejection(result);
  assert.ok(isSnapError(error) && !error.isFinal);
});

test("rejected and returned payments are looked up until all that the counts tell of are found", async () => {
  let asked = 0;
  const polls = [counts(5), counts(0, 1, 1), counts(0, 1, 2)];
  const { result, calls } = await pay(
    [() => json(200, accepted())],
    (number) => {
      if (number === "LIST-B1") return polls.shift() ?? counts(0, 1, 2);
      asked += 1;
      // Returned meanwhile: it is not the one that was counted.
      if (number === "LIST-000001") return status("04", {});
      if (number === "LIST-000002") {
        return status("06", { rejection: { responseCode: "4032005", responseMessage: "Do Not Honor" } });
      }
      return number === "LIST-000004" ? status("04", {}) : status("00", {});
    },
    { concurrency: 1 },
  );
  const { results, counts: found } = await result;
  assert.deepEqual(found, { settled: 2, rejected: 1, returned: 2, open: 0 });
  assert.deepEqual(
    results.map(({ state }) => state),
    ["returned", "rejected", "settled", "returned", "settled"],
  );
  assert.equal(results[1]?.reason, "Do Not Honor");
  assert.equal(asked, 4, "the last is settled by the counts");
  assert.equal(calls.length, 1 + 2 + 4 + 2);
});

test("a signal ends the run, in a pause or in a call", async () => {
  const stopped = new AbortController();
  const onProgress = ({ stage }: { readonly stage: string }) => stage === "following" && stopped.abort();
  const { result } = await pay([() => json(200, accepted())], () => counts(5), { signal: stopped.signal, onProgress });
  assert.ok(await rejection(result));
});

test("without waiting all are open; a provider without counts is asked for each payment", async () => {
  const { result } = await pay([() => json(200, accepted())], () => assert.fail("no inquiry"), { wait: false });
  assert.equal((await result).counts.open, 5);
  const plain = await pay([() => json(200, accepted())], () => status("00", {}));
  assert.equal((await plain.result).counts.settled, 5);
});

test("the README's program returns what is to be paid again", async (context) => {
  context.mock.method(console, "log", () => undefined);
  const { fetch } = recordingFetch((sent) => {
    if (isBulk(sent)) return json(200, { ...accepted(), partnerBulkId: "PAYROLL-2026-11-B1" });
    if (inquired(sent).endsWith("-B1")) return counts(0, 1);
    return inquired(sent).endsWith("2") ? status("06", {}) : status("00", {});
  });
  const { again } = await paySalaries(createClient({ ...symmetric, fetch }), "2026-11", order.payments);
  assert.deepEqual(
    again.map(({ partnerReferenceNo, beneficiaryAccountNo }) => [partnerReferenceNo, beneficiaryAccountNo]),
    [["PAYROLL-2026-11-000002-R2", "8800000001"]],
  );
});
