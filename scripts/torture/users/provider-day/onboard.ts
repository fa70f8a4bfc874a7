/** The second step: a partner, accounts, money and a merchant, each proposed by one operator and approved by another. */
import assert from "node:assert/strict";
import { accounts, type Day, merchantId, secretIn } from "./day.ts";
import { done } from "./people.ts";
import { notificationAddress, partnerId } from "./shop.ts";

const why = ["--reason", "contract 2026/114", "--ticket", "ONB-114"] as const;

export async function onboard(day: Day): Promise<string> {
  const { people, shopKeys, staff } = day;
  const { operator, approver, viewer, auditor } = staff;
  const change = (...words: readonly string[]) => people.byFourEyes(operator, approver, ...words);

  const keys = ["--public-key", shopKeys.publicKeyFile];
  const address = ["--notification-address", notificationAddress];
  const added = await change("partner", "add", partnerId, "--name", "Toko Sejahtera", ...keys, ...address, ...why);
  day.clientSecret = secretIn(added);
  await change("partner", "change", partnerId, "--rate-limit", "200/s,400", ...why);
  const opened = [
    [accounts.payer, "Siti Nur Aini", "5000000.00"],
    [accounts.other, "Budi Hartono", "0"],
    [accounts.shop, "Toko Sejahtera", "100000.00"],
  ] as const;
  for (const [accountNo, name, balance] of opened) {
    const terms = ["--account-no", accountNo, "--name", name, "--balance", balance, "--partner", partnerId];
    await change("account", "open", ...terms, ...why);
  }
  await change("account", "fund", accounts.other, "1000000.00", ...why);
  await change("account", "limits", accounts.payer, "--each", "3000000.00", ...why);
  const terms = ["--name", "SPBU 7", "--settlement-account", accounts.shop, "--default-hold", "300000.00"];
  await change("merchant", "add", merchantId, "--partner", partnerId, ...terms, ...why);

  const fund = ["account", "fund", accounts.other, "1.00", ...why] as const;
  for (const nobody of [viewer, auditor, approver]) {
    const { exitCode, stderr } = await people.titian(nobody, ...fund);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /operator/);
  }
  const shown = done(await people.titian(viewer, "partner", "show", partnerId));
  assert.match(shown, /^status +active$/m);
  return "partner, its terms, 3 accounts, money, a limit and a merchant by 8 acts of two operators; viewer, auditor and approver propose nothing";
}
