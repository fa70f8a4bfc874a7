/** A sandbox with its console built, and money that moved: one thing of each kind. */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Timeline } from "../../../packages/control/src/types.ts";
import { bulkBody, bulkPath, untilBulkEnds } from "../black-box/bulks.ts";
import { type Answer, type Json, newNumber } from "../black-box/caller.ts";
import { startEndpoint } from "../black-box/endpoint.ts";
import { paymentRequestBody, paymentRequestPath } from "../black-box/payment-requests.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../black-box/payments/hold-bodies.ts";
import { startRailFixture } from "../black-box/rails/rail-fixture.ts";
import { interbank } from "../black-box/rails/rail-services.ts";
import { railBody } from "../black-box/rails/rail-transfers.ts";
import { idr } from "../black-box/transfers.ts";

const { ensureConsole }: { ensureConsole(root: string): void } = createRequire(import.meta.url)(
  "../../../scripts/install/ensure-console.cjs",
);

export interface ConsoleFixture extends AsyncDisposable {
  readonly rails: Awaited<ReturnType<typeof startRailFixture>>;
  readonly baseUrl: string;
  readonly payer: string;
  readonly paymentNo: string;
  readonly transferNo: string;
  readonly requestNo: string;
  readonly bulkId: string;
  /** Numbers of every kind, with the reference number, or account number, of what they name. */
  readonly numbers: readonly (readonly [kind: string, number: string, named: string])[];
}

export async function startConsole(): Promise<ConsoleFixture> {
  ensureConsole(resolve(import.meta.dirname, "../../.."));
  await using stack = new AsyncDisposableStack();
  const rails = stack.use(await startRailFixture());
  const { alpha, control } = rails;
  const endpoint = stack.use(await startEndpoint());
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
  const send = async (path: string, body: Json) => {
    const externalId = newNumber();
    const answer = await alpha.call(path, body, { externalId });
    if (answer.status >= 300) throw new Error(answer.text);
    return { body, answer, externalId };
  };

  const payer = await rails.newPayer();
  const source = { amount: idr("500000.00"), additionalInfo: { sourceAccountNo: payer } };
  const pay = await send(paths.payment, paymentBody("alpha-hotel", source));
  const partnerReferenceNo = String(pay.body["partnerReferenceNo"]);
  const payment = { merchantId: "alpha-hotel", referenceNo: read(pay.answer, "referenceNo"), partnerReferenceNo };
  const capture = await send(paths.capture, captureBody(payment, { captureAmount: idr("300000.00") }));
  const release = await send(paths.void, voidBody(payment, { voidAmount: idr("50000.00") }));
  const originalCaptureNo = read(capture.answer, "captureNo");
  const refund = await send(paths.refund, refundBody(payment, { refundAmount: idr("100000.00"), originalCaptureNo }));
  const transfer = await send(interbank.path, railBody(interbank, payer));
  const transferNo = read(transfer.answer, "referenceNo");
  const { traceNo = "" } = await control.call<Timeline>("GET", `timeline/${transferNo}`);
  const request = await send(paymentRequestPath, paymentRequestBody(rails, payer));
  const bulk = await send(bulkPath, bulkBody(payer, 3));
  await untilBulkEnds(alpha, bulk.answer);
  const bulkId = read(bulk.answer, "bulkId");
  const owned = stack.move();
  return {
    rails,
    baseUrl: rails.sandbox.file.baseUrl,
    payer,
    paymentNo: payment.referenceNo,
    transferNo,
    requestNo: read(request.answer, "referenceNo"),
    bulkId,
    numbers: [
      ["our reference number", payment.referenceNo, payment.referenceNo],
      ["a partner's number", partnerReferenceNo, payment.referenceNo],
      ["an external id", pay.externalId, payment.referenceNo],
      ["a capture number", read(capture.answer, "captureNo"), payment.referenceNo],
      ["a partner's capture number", String(capture.body["partnerCaptureNo"]), payment.referenceNo],
      ["a void number", read(release.answer, "voidNo"), payment.referenceNo],
      ["a refund number", read(refund.answer, "refundNo"), payment.referenceNo],
      ["a trace number", traceNo, transferNo],
      ["a bulk id", bulkId, bulkId],
      ["a partner's bulk id", String(bulk.body["partnerBulkId"]), bulkId],
      ["an account number", payer, payer],
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const read = ({ body }: Answer, name: string): string => String(body[name]);
