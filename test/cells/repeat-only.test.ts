// A cell that is asked whether a call repeats one of its own takes nothing, rejects nothing and records nothing, whatever the call is.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { createHandlers } from "../../packages/server/src/operations/handlers.ts";
import { noRepeat } from "../../packages/server/src/operations/repeat-only.ts";
import { callOf, startNode, writeDepsOf } from "../support/administration.ts";
import { bulkBody } from "../support/black-box/bulks.ts";
import { transferBody } from "../support/black-box/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { testPartnerShares } from "../support/partner-shares.ts";
import { newPartner } from "../support/partners.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
const holder = { name: "Siti", currency: "IDR", type: "S", balance: minor(100_000_000n), partners: [key] } as const;
const [from, to] = [
  valueOf(await openAccount(node, holder)).accountNo,
  valueOf(await openAccount(node, holder)).accountNo,
];
const partner = node.reference.byPartnerId(partnerId);
assert.ok(partner);

const deps = { ...writeDepsOf(node), bulkShares: testPartnerShares() } as unknown as Parameters<
  typeof createHandlers
>[0];
const [asEver, repeatOnly] = [createHandlers(deps), createHandlers({ ...deps, isRepeatOnly: true })];
const recorded = () =>
  withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query(
      `select (select count(*) from accepted_requests) + (select count(*) from rejected_requests) + (select count(*) from entries) as count`,
    );
    return rows;
  });

const bodies = {
  intrabankTransfer: transferBody({ from, to }),
  interbankBulkTransfer: bulkBody(from),
  authVoid: { ...operations.authVoid.example.request },
} as const;

for (const [name, request] of Object.entries(bodies)) {
  const operation = operations[name as keyof typeof bodies];
  test(`${operation.code}: nothing comes of what is no repeat, though it could be taken`, async () => {
    const before = await recorded();
    const reply = await repeatOnly[operation.name](callOf(node, partner, { operation, request }));
    assert.equal(reply, noRepeat);
    assert.deepEqual(await recorded(), before);
  });
}

test("a repeat is told as ever", async () => {
  const operation = operations.intrabankTransfer;
  const request = transferBody({ from, to });
  const first = callOf(node, partner, { operation, request });
  assert.equal((await asEver.intrabankTransfer(first)).case, "success");
  const asked = (more: object) => repeatOnly.intrabankTransfer({ ...first, signature: newId(), ...more });
  assert.equal((await asked({})).case, "conflict");
  assert.equal((await asked({ externalId: newId() })).case, "duplicatePartnerReferenceNo");
  assert.equal(
    (await asked({ externalId: newId(), request: { ...request, sourceAccountNo: "9" } })).case,
    "inconsistentRequest",
  );
});
