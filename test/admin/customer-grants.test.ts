/** Codes and refresh tokens of service 74 on a real database, by two nodes (spec D3). */
import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import {
  createAuthCode,
  createCustomerGrants,
  revokeGrants,
} from "../../packages/server/src/admin/grants/customer-grants.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import { createPruneGrants } from "../../packages/server/src/jobs/prune.ts";
import type { Minor } from "../../packages/server/src/ledger/money.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { masterKeys, startNode, type TestNode } from "../support/administration.ts";
import { eventually } from "../support/black-box/answers.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { runStatements } from "../support/database/with-client.ts";
import { useTwoNodes } from "../support/two-nodes.ts";
import { mayGoOn } from "../support/run-job.ts";

const minute = 60_000;
const day = 86_400_000;

const { node: one, other: two, ownerUrl } = await useTwoNodes();

/** As the service does it, with its rights. */
const grantsOf = (node: TestNode) =>
  createCustomerGrants({
    ...node,
    database: node.adminPool,
    inTurn: (_partner: string, work) => work(),
    onReuse: ({ partnerId }) => reusedBy.push(partnerId),
  });
const reusedBy: string[] = [];
const grants = grantsOf(one);

const lookUp = (partnerId: string): PartnerCredentials | undefined => one.reference.byPartnerId(partnerId);
const deps = { ...one, byPartnerId: lookUp };

async function claim(): Promise<PartnerCredentials> {
  const { partnerId } = valueOf(await onboardPartner(one, newPartner()));
  const partner = lookUp(partnerId);
  assert.ok(partner);
  return partner;
}

async function openFor(name: string): Promise<string> {
  const account = { name, currency: "IDR", type: "S", balance: 0n as Minor } as const;
  return valueOf(await openAccount(one, account)).accountNo;
}

const partner = await claim();
const accountNo = await openFor("Siti Rahayu");

async function newCode(of = accountNo): Promise<string> {
  return valueOf(await createAuthCode(deps, { partnerId: partner.partnerId, accountNo: of })).authCode;
}

const byCode = (text: string, who = partner, by = grants) => by.redeem(who, { kind: "code", text });
const byToken = (text: string, who = partner, by = grants) => by.redeem(who, { kind: "refreshToken", text });

/** The refresh token of what must have been good. */
function tokenOf(redeemed: Awaited<ReturnType<typeof byCode>>): string {
  assert.ok(typeof redeemed === "object", `the answer was ${String(redeemed)}`);
  assert.equal(redeemed.accountNo, accountNo);
  return redeemed.refreshToken;
}

/** Rows of the grants, whatever their partner. */
async function kept(): Promise<readonly { readonly hash: string }[]> {
  return (await one.database.query<{ hash: string }>("select hash from customer_grants")).rows;
}

test("a code is good once, its refresh token once, and each next one", async () => {
  const code = await newCode();
  const first = tokenOf(await byCode(code));
  assert.equal(await byCode(code), "invalid");
  const second = tokenOf(await byToken(first, partner, grantsOf(two)));
  const third = tokenOf(await byToken(second));
  assert.equal(new Set([code, first, second, third]).size, 4);
  assert.ok([code, first, second, third].every((text) => text.length <= 256));
});

test("nothing of a code or refresh token but its hash is kept", async () => {
  const code = await newCode();
  const hashOf = (text: string) => `\\x${hash("sha256", text)}`;
  assert.ok((await kept()).some((row) => row.hash === hashOf(code)));
  const token = tokenOf(await byCode(code));
  const rows = await kept();
  assert.ok(rows.some((row) => row.hash === hashOf(token)));
  assert.ok(!rows.some((row) => row.hash === hashOf(code)));
});

test("of 100 exchanges of one code at once, on two nodes, exactly one gets a token", async () => {
  const nodes = [grants, grantsOf(two)];
  for (let round = 0; round < 5; round += 1) {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => byCode(code, partner, nodes[at % 2])));
    const won = answers.filter((answer) => answer !== "invalid");
    assert.equal(won.length, 1);
    // The others were a caller's retries: what it got stays good.
    tokenOf(await byToken(tokenOf(won[0] ?? "invalid")));
  }
});

test("of 100 uses of one refresh token at once all get the same next, and it is good", async () => {
  const nodes = [grants, grantsOf(two)];
  for (let round = 0; round < 5; round += 1) {
    const token = tokenOf(await byCode(await newCode()));
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => byToken(token, partner, nodes[at % 2])));
    const [next = "", ...others] = new Set(answers.map(tokenOf));
    assert.deepEqual(others, []);
    tokenOf(await byToken(next));
  }
});

test("a refresh whose answer was lost is repeated, on another node and under the next master key, until its answer is used", async () => {
  const first = tokenOf(await byCode(await newCode()));
  const answer = await byToken(first);
  const rotated = createSecrets({ current: randomBytes(32), previous: masterKeys.current });
  assert.deepEqual(await byToken(first, partner, grantsOf({ ...two, secrets: rotated })), answer);
  const second = tokenOf(answer);
  const third = tokenOf(await byToken(second));
  assert.equal(tokenOf(await byToken(second)), third);
  assert.equal(await byToken(first), "invalid");
  assert.equal(await byToken(third), "invalid", "a thief's use of an older one did not end the grant");
});

test("a refresh may be repeated for 24 hours; then its repeat ends the grant", async () => {
  await using node = await startNode(one.url);
  const later = grantsOf(node);
  const [first, other] = [tokenOf(await byCode(await newCode())), tokenOf(await byCode(await newCode()))];
  const [second, otherSecond] = [tokenOf(await byToken(first)), tokenOf(await byToken(other))];
  node.clock.setOffset(day - 10_000);
  assert.equal(tokenOf(await byToken(other, partner, later)), otherSecond);
  node.clock.setOffset(day + 10_000);
  assert.equal(await byToken(first, partner, later), "invalid");
  assert.equal(await byToken(second, partner, later), "invalid");
});

test("a grant that ends, by reuse or revoked, is known with its tokens on every node, and a revoked code is good no more", async () => {
  const ends = async (id: string) => {
    assert.ok(one.reference.isGrantEnded(id), "the node that ended it does not know");
    await eventually(() => two.reference.isGrantEnded(id));
  };
  const reused = await byCode(await newCode());
  const first = tokenOf(reused);
  tokenOf(await byToken(tokenOf(await byToken(first))));
  assert.ok(typeof reused === "object" && !one.reference.isGrantEnded(reused.id));
  assert.equal(await byToken(first), "invalid");
  await ends(reused.id);

  const revoking = await openFor("Dewi Lestari");
  const [code, revoked] = [await newCode(revoking), await byCode(await newCode(revoking))];
  assert.ok(typeof revoked === "object");
  const of = { partnerId: partner.partnerId, accountNo: revoking };
  for (let count = 0; count < 2; count += 1) valueOf(await revokeGrants(one, of));
  await ends(revoked.id);
  assert.equal(await byCode(code), "invalid");
  assert.equal(await byToken(revoked.refreshToken), "invalid");
  assert.equal(rejectionOf(await revokeGrants(one, { ...of, partnerId: "nobody" })), "unknownPartner partnerId");
  assert.equal(rejectionOf(await revokeGrants(one, { ...of, accountNo: "404" })), "unknownAccount accountNo");

  // A node that starts later knows them too, until their tokens have expired.
  await using late = await startNode(one.url);
  assert.ok(late.reference.isGrantEnded(reused.id) && late.reference.isGrantEnded(revoked.id));
});

test("an older refresh token ends its grant, however far it has come, and no other", async () => {
  const other = tokenOf(await byCode(await newCode()));
  const first = tokenOf(await byCode(await newCode()));
  const second = tokenOf(await byToken(first));
  const third = tokenOf(await byToken(second));
  const warnings = () => one.logLines.filter((line) => line.includes("oauth.refresh_token_reuse")).length;
  const before = warnings();
  assert.equal(await byToken(first), "invalid");
  assert.equal(warnings(), before + 1);
  assert.ok(reusedBy.length > 0 && lookUp(reusedBy.at(-1) ?? ""));
  assert.equal(await byToken(third), "invalid");
  assert.ok(!one.logLines.join("").includes(first));
  tokenOf(await byToken(other));
});

test("an altered refresh token is rejected, and the right one stays good", async () => {
  const code = await newCode();
  const token = tokenOf(await byCode(code));
  const [no = "", , random = ""] = token.split(".");
  for (const text of [`${no}.1.${random.toLowerCase()}`, `${no}.2.${random}`, `${token}x`, "x", code]) {
    assert.equal(await byToken(text), "invalid", text);
  }
  assert.equal(await byCode(token), "invalid", "a refresh token is no code");
  tokenOf(await byToken(token));
});

test("another partner can neither use nor end what is not its own", async () => {
  const stranger = await claim();
  const code = await newCode();
  assert.equal(await byCode(code, stranger), "invalid");
  const first = tokenOf(await byCode(code));
  const second = tokenOf(await byToken(first));
  assert.equal(await byToken(first, stranger), "invalid");
  assert.equal(await byToken(second, stranger), "invalid");
  tokenOf(await byToken(second));
});

test("a code lives 10 minutes of business time, a refresh token 30 days", async () => {
  const node = await startNode(one.url);
  const later = grantsOf(node);
  const [codeInTime, codeTooLate] = [await newCode(), await newCode()];
  node.clock.setOffset(10 * minute - 5_000);
  const token = tokenOf(await byCode(codeInTime, partner, later));
  const unused = tokenOf(await byCode(await newCode(), partner, later));
  node.clock.setOffset(10 * minute);
  assert.equal(await byCode(codeTooLate, partner, later), "invalid");
  node.clock.setOffset(10 * minute + 30 * day - 10_000);
  tokenOf(await byToken(token, partner, later));
  node.clock.setOffset(10 * minute + 30 * day);
  assert.equal(await byToken(unused, partner, later), "invalid");
  await node.close();
});

test("a closed account's code and refresh token are not good; a blocked one's are", async () => {
  const closing = await openFor("Budi Santoso");
  const [code, used] = [await newCode(closing), await newCode(closing)];
  valueOf(await changeAccount(one, closing, { status: "blocked" }));
  const redeemed = await byCode(used);
  assert.ok(typeof redeemed === "object");
  valueOf(await changeAccount(one, closing, { status: "closed" }));
  assert.equal(await byCode(code), "invalid");
  assert.equal(await byToken(redeemed.refreshToken), "invalid");
});

test("a code is made for a partner and a holder's open account that are there", async () => {
  const { partnerId } = partner;
  const closed = await openFor("Agus Wijaya");
  valueOf(await changeAccount(one, closed, { status: "closed" }));
  for (const [given, expected] of [
    [{ partnerId: "nobody", accountNo }, "unknownPartner partnerId"],
    [{ partnerId, accountNo: "404" }, "unknownAccount accountNo"],
    [{ partnerId, accountNo: "\u0000" }, "unknownAccount accountNo"],
    [{ partnerId, accountNo: "funding:IDR" }, "unknownAccount accountNo"],
    [{ partnerId, accountNo: closed }, "accountClosed accountNo"],
  ] as const) {
    assert.equal(rejectionOf(await createAuthCode(deps, given)), expected);
  }
});

test("a partner that asks too much at once is rejected, and nothing of it is spent", async () => {
  const code = await newCode();
  const full = createCustomerGrants({ ...one, inTurn: async () => undefined });
  assert.equal(await byCode(code, partner, full), "busy");
  assert.equal(await byCode("no code of ours", partner, full), "invalid");
  tokenOf(await byCode(code));
});

test("expired rows are pruned, in as many slices as it takes; the rest stays", async () => {
  await one.database.query("delete from customer_grants");
  const { rows } = await one.database.query<{ id: string }>("select id from accounts where account_no = $1", [
    accountNo,
  ]);
  const expired = (count: number, at: number) =>
    one.database.query(
      `insert into customer_grants (id, partner, account_id, generation, hash, expires_at)
       select gen_random_uuid(), $2, $3, 0, sha256(i::text::bytea), $4 from generate_series(1, $1::int) i`,
      [count, partner.key, rows[0]?.id, new Date(at).toISOString()],
    );
  const { clock } = one;
  const past = new Date(clock.now() - 1).toISOString();
  await runStatements(ownerUrl, [
    `update ended_grants set expires_at = '${past}' where id = any(array(select id from ended_grants limit 1))`,
  ]);
  const ended = async () => (await one.database.query("select from ended_grants")).rowCount ?? 0;
  const endedBefore = await ended();
  await expired(2_500, clock.now() - 1);
  await expired(3, clock.now() + minute);
  const token = tokenOf(await byCode(await newCode()));
  const { run } = createPruneGrants({ pool: one.adminPool, clock });
  assert.equal(await run(mayGoOn), 2_501);
  assert.equal(await run(mayGoOn), 0);
  assert.equal((await kept()).length, 4);
  assert.equal(await ended(), endedBefore - 1);
  tokenOf(await byToken(token));
});
