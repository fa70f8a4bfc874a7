/** A sandbox and a row for each operation that writes, on a working morning on which every rail is open. */
import { type PaymentFixture, paymentFixtureOf } from "../payments/payment-fixture.ts";
import { type RailFixture, startRailFixture } from "../rails/rail-fixture.ts";
import { railServices } from "../rails/rail-services.ts";
import { type PaymentWrites, paymentWrites } from "./payment-writes.ts";
import { bulkWrite } from "./bulk-write.ts";
import { intrabankWrite, paymentRequestWrite, railWrite } from "./transfer-writes.ts";
import type { Write } from "./write.ts";

export interface Writes extends AsyncDisposable {
  readonly all: readonly Write[];
  /** The last four of them. */
  readonly ofPayments: PaymentWrites;
  readonly rails: RailFixture;
  readonly payments: PaymentFixture;
}

export async function startWrites(): Promise<Writes> {
  const rails = await startRailFixture({
    TITIAN_INTERBANK_WAIT_SECONDS: "2",
    // As many as other writes, where many copies are sent at once.
    TITIAN_BULKS_MAX: "400",
    TITIAN_PARTNER_BULKS_MAX: "200",
  });
  await rails.moveTo(rails.at(0, "10:00:01"));
  const payments = paymentFixtureOf(rails.sandbox, rails);
  const ofPayments = paymentWrites(payments);
  return {
    all: [
      intrabankWrite(rails),
      ...railServices.map((service) => railWrite(rails, service)),
      bulkWrite(rails),
      paymentRequestWrite(rails),
      ...ofPayments,
    ],
    ofPayments,
    rails,
    payments,
    [Symbol.asyncDispose]: () => rails[Symbol.asyncDispose](),
  };
}
