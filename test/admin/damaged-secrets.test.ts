/** Client secrets that do not open: which of a partner's still count, and how they are replaced. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { rotateCredentials } from "../../packages/server/src/admin/partner-credentials.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners.ts";
import { createSecrets } from "../../packages/server/src/secrets.ts";
import { startNode } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { runStatements } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const [newest, older, next] = ["newest-secret-01234", "older-secret-012345", "next-secret-0123456"] as const;

/** A partner whose newest secret is changed as given; the version is left, as whoever damages a row does. */
async function addDamaged(change: (sealed: string) => string) {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner({ secrets: [newest, older] })));
  const found = await node.database.query<{ id: string; value: string }>({
    text: `select id, value from partner_credentials where partner = $1 and kind = 'secret' order by created_at desc, id desc limit 1`,
    values: [key],
  });
  const [id, value] = Object.values(found.rows[0] ?? {}) as [string, string];
  await runStatements(database.ownerUrl, [
    `update partner_credentials set value = '${change(value)}' where id = '${id}'`,
  ]);
  return { partnerId, key };
}

const replaceAt = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
const stranger = createSecrets({ current: randomBytes(32) });
const damages: readonly (readonly [string, (sealed: string) => string])[] = [
  ["a flipped character", (sealed) => replaceAt(sealed, sealed.length - 5)],
  ["its end cut off", (sealed) => sealed.slice(0, -8)],
  ["only its beginning", (sealed) => sealed.slice(0, 12)],
  ["another text", () => "\u0001not sealed"],
  ["nothing", () => ""],
  ["sealed for another partner", () => node.secrets.seal(newest, "partner-secret:other")],
];

for (const [name, change] of damages) {
  test(`${name}: the older secret counts, and a new one takes the place of the damaged one`, async () => {
    const { partnerId, key } = await addDamaged(change);
    await using other = await startNode(database.url);
    const credentials = () => {
      const { secrets, unreadableSecrets } = other.reference.byPartnerId(partnerId) ?? assert.fail();
      return [secrets, unreadableSecrets, other.reference.unreadableSecrets().get(partnerId)];
    };
    assert.deepEqual(credentials(), [[older], 1, 1]);
    const logged = other.logLines.filter((line) => line.includes(`"partner":"${partnerId}"`));
    assert.deepEqual([logged.length, logged[0]?.includes('"event":"partner.secret_unreadable"')], [1, true]);
    // Nothing is signed with an older secret instead, which the partner may have given up.
    const { secret, isSecretUnreadable } = other.reference.endpoints().get(key) ?? assert.fail();
    assert.deepEqual([secret, isSecretUnreadable], [undefined, true]);
    valueOf(await rotateCredentials(node, partnerId, { secret: next }));
    await other.refresh();
    assert.deepEqual(credentials(), [[next, older], undefined, undefined]);
    assert.equal(other.reference.endpoints().get(key)?.secret, next);
  });
}

test("a secret that names another master key stays until it is retired: it opens where that key is set", async () => {
  const { partnerId } = await addDamaged(() => stranger.seal(newest, "any"));
  await using other = await startNode(database.url);
  assert.equal(other.reference.unreadableSecrets().get(partnerId), 1);
  valueOf(await rotateCredentials(node, partnerId, { secret: next }));
  await other.refresh();
  assert.deepEqual(other.reference.byPartnerId(partnerId)?.secrets, [next]);
  assert.equal(other.reference.unreadableSecrets().get(partnerId), 1);
  valueOf(await rotateCredentials(node, partnerId, { secret: next, retire: true }));
  await other.refresh();
  assert.equal(other.reference.unreadableSecrets().get(partnerId), undefined);
});
