/** Merchants under operators in charge: suspended at once, resumed by an approval. */
import assert from "node:assert/strict";
import { after as afterAll, test } from "node:test";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import {
  changeMerchant,
  registerMerchant,
  setMerchantStatus,
} from "../../packages/server/src/admin/merchants/merchants.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { zero } from "../../packages/server/src/ledger/money.ts";
import { findAct } from "../../packages/server/src/views/acts/acts.ts";
import { eventually } from "../support/black-box/answers.ts";
import { approve, approver, ask, other, propose, refuse } from "../support/database/operators.ts";
import { valueOf, waiting } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { useReferenceActs } from "../support/reference-acts.ts";

const { bank, node, second, deps, applied, found, carryOut, close } = await useReferenceActs();
afterAll(close);
const words = { reason: "agreed on 3 November" };

const settlementAccountNo = "1001000001";
const { partnerId } = newPartner({ partnerId: "SHOP01" });
const open = {
  name: "A",
  currency: "IDR",
  type: "D",
  balance: zero,
  accountNo: settlementAccountNo,
  ...words,
} as const;
await carryOut(await openAccount(deps, open));
await carryOut(await onboardPartner(deps, { ...newPartner({ partnerId }), ...words }));

test("a merchant is suspended at once on each node, and its end waits; refused it is taken back, and a change of terms leaves it", async () => {
  const order = { partnerId, merchantId: "FUEL-7", ...words };
  await carryOut(await registerMerchant(deps, { ...order, name: "SPBU", settlementAccountNo }));
  const { key = "" } = node.reference.byPartnerId(partnerId) ?? {};
  const statusOn = (of: typeof node) => of.reference.current().merchants.get(merchantKeyOf(key, "FUEL-7"))?.status;
  const suspend = async () => {
    const { merchant, note } = valueOf(await setMerchantStatus(deps, { ...order, status: "suspended" }));
    assert.deepEqual([merchant.status, statusOn(node)], ["suspended", "suspended"]);
    return /act show ([0-9a-f-]{36})/.exec(note ?? "")?.[1] ?? assert.fail(note);
  };
  const resume = () => setMerchantStatus(deps, { ...order, status: "active" });
  const first = await suspend();
  assert.match(
    (await findAct({ pool: node.reads, reference: node.reference }, first))?.does ?? "",
    /^Suspend merchant FUEL-7 \(SHOP01\) at once/,
  );
  await eventually(() => statusOn(second) === "suspended");
  const early = waiting(await resume());
  await ask(bank.urlOf(approver), approve(early));
  assert.deepEqual(await applied(early), ["rejected"]);
  assert.match(String(await found(early)), /waits for its approval: refuse that act/);
  await carryOut(await changeMerchant(deps, partnerId, "FUEL-7", { name: "SPBU 7", ...words }));
  assert.equal(statusOn(node), "suspended");
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(first)), ["refused"]);
  await node.refresh();
  assert.equal(statusOn(node), "active");
  assert.deepEqual(await ask(bank.urlOf(approver), approve(await suspend())), ["done"]);
  const changing = waiting(await changeMerchant(deps, partnerId, "FUEL-7", { name: "SPBU 8", ...words }));
  await carryOut(await resume());
  assert.equal(statusOn(node), "active");
  // It was proposed of a suspended one. While it waits, no other act on the merchant is proposed.
  await ask(bank.urlOf(approver), approve(changing));
  assert.deepEqual(await applied(changing), ["rejected"]);
  const [terms = ""] = await ask(
    bank.ownerUrl,
    "select merchant_terms(m)::text from merchants m where merchant_id = 'FUEL-7'",
  );
  const before = JSON.parse(terms) as object;
  const sly = propose(newId(), partnerId, "merchant", { ...before, status: "suspended" }, before, "FUEL-7");
  const [slyId = ""] = await ask(bank.urlOf(other), sly.replace("select state", "select act_id"));
  await ask(bank.urlOf(approver), approve(slyId));
  // A change of terms suspends nobody.
  assert.deepEqual(await applied(slyId), ["rejected"]);
  assert.equal(statusOn(node), "active");
});
