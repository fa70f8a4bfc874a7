/** Addresses of all pages of the console. */
import type { ConsoleFixture } from "./console-fixture.ts";

/** The text waited for is there when its data is. */
export function pagesOf(
  shown: ConsoleFixture,
  actId: string,
): readonly (readonly [name: string, hash: string, ready: string])[] {
  return [
    ["home", "/", ".table tbody tr"],
    ["find", `/find?number=${shown.paymentNo}0`, ".state"],
    ["found", `/find?number=${shown.payer}`, "article"],
    ["payment", `/record/${shown.paymentNo}`, ".timeline"],
    ["transfer", `/record/${shown.transferNo}`, ".timeline"],
    ["request", `/record/${shown.requestNo}`, ".timeline"],
    ["bulk", `/record/${shown.bulkId}`, ".table tbody tr"],
    ["calls", "/calls", ".table tbody tr"],
    ["try", "/try/interbankBulkTransfer", ".tabs"],
    ["world", "/world", ".chart canvas"],
    ["accounts", "/world/accounts", ".table tbody tr"],
    ["account", `/world/accounts/${shown.payer}`, ".table tbody tr"],
    ["holds", "/world/holds", ".table tbody tr"],
    ["transfers", "/world/transfers", ".table tbody tr"],
    ["filtered", "/world/transfers?serviceCode=18&order=oldest", ".table tbody tr"],
    ["payment-requests", "/world/payment-requests", ".table tbody tr"],
    ["bulks", "/world/bulks", ".table tbody tr"],
    ["notifications", "/world/notifications", ".table tbody tr"],
    ["acts", "/world/acts", ".table tbody tr"],
    ["act", `/world/acts/${actId}`, ".button.danger"],
    ["clock", "/world/clock", ".headline"],
    ["rails", "/world/rails", ".segmented"],
    ["partners", "/world/partners", ".table tbody tr"],
    ["partner", "/world/partners/alpha", ".table tbody tr"],
    ["operators", "/world/operators", ".panel"],
    ["faults", "/world/faults", "form"],
    ["audit", "/world/audit", "h1"],
    ["nowhere", "/nowhere", "h1"],
  ];
}
