/** Codes and refresh tokens of service 74 on a real database, by two nodes (decision D3). */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, test } from "node:test";
import { changeAccount, openAccount } from "../src/admin/accounts.ts";
import { createAuthCode, createCustomerGrants } from "../src/admin/customer-grants.ts";
import { onboardPartner } from "../src/admin/partners.ts";
import type { PartnerCredentials } from "../src/call.ts";
import { pruneGrants } from "../src/duties/prune-grants.ts";
import type { Minor } from "../src/ledger/money.ts";
import { startNode, type TestNode } from "./support/administration.ts";
import { useDatabase } from "./support/database.ts";
import { refusalOf, valueOf } from "./support/expect.ts";
import { newPartner } from "./support/partners.ts";

const minute = 60_000;
const day = 86_400_000;

const database = await useDatabase();
const one = await startNode(database.url);
const two = await startNode(database.url);
after(async () => {
  await one.close();
  await two.close();
  await database.drop();
});

const grantsOf = (node: TestNode) => createCustomerGrants({ ...node, inTurn: (_partner: string, work) => work() });
const grants = grantsOf(one);

const lookUp = (partnerId: string): PartnerCredentials | undefined => one.reference.byPartnerId(partnerId);
const deps = { ...one, byPartnerId: lookUp };

async function takeOn(): Promise<PartnerCredentials> {
  const { partnerId } = valueOf(await onboardPartner(one, newPartner()));
  const partner = lookUp(partnerId);
  assert.ok(partner);
  return partner;
}

async function openFor(name: string): Promise<string> {
  const account = { name, currency: "IDR", type: "S", balance: 0n as Minor } as const;
  return valueOf(await openAccount(one, account)).accountNo;
}

const partner = await takeOn();
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

test("of 100 uses of one refresh token at once exactly one gets the next, and the grant has ended", async () => {
  const nodes = [grants, grantsOf(two)];
  for (let round = 0; round < 5; round += 1) {
    const token = tokenOf(await byCode(await newCode()));
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => byToken(token, partner, nodes[at % 2])));
    const won = answers.filter((answer) => answer !== "invalid");
    assert.equal(won.length, 1);
    assert.equal(await byToken(tokenOf(won[0] ?? "invalid")), "invalid");
  }
});

test("a refresh token that comes a second time ends its grant, however far it has come, and no other", async () => {
  const other = tokenOf(await byCode(await newCode()));
  const first = tokenOf(await byCode(await newCode()));
  const second = tokenOf(await byToken(first));
  const third = tokenOf(await byToken(second));
  const warnings = () => one.logLines.filter((line) => line.includes("came a second time")).length;
  const before = warnings();
  assert.equal(await byToken(first), "invalid");
  assert.equal(warnings(), before + 1);
  assert.equal(await byToken(third), "invalid");
  assert.ok(!one.logLines.join("").includes(first));
  tokenOf(await byToken(other));
});

test("what is not quite a refresh token is refused, and the right one stays good", async () => {
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
  const stranger = await takeOn();
  const code = await newCode();
  assert.equal(await byCode(code, stranger), "invalid");
  const first = tokenOf(await byCode(code));
  const second = tokenOf(await byToken(first));
  assert.equal(await byToken(first, stranger), "invalid");
  assert.equal(await byToken(second, stranger), "invalid");
  tokenOf(await byToken(second));
});

test("a code lives 10 minutes of business time, a refresh token 30 days", async () => {
  const node = await startNode(database.url);
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
    assert.equal(refusalOf(await createAuthCode(deps, given)), expected);
  }
});

test("a partner that asks too much at once is told, and nothing of it is spent", async () => {
  const code = await newCode();
  const full = createCustomerGrants({ ...one, inTurn: () => undefined });
  assert.equal(await byCode(code, partner, full), "busy");
  assert.equal(await byCode("no code of ours", partner, full), "invalid");
  tokenOf(await byCode(code));
});

test("what has expired is pruned, in as many slices as it takes; the rest stays", async () => {
  await one.database.query("delete from customer_grants");
  const { rows } = await one.database.query<{ id: string }>("select id from accounts where account_no = $1", [
    accountNo,
  ]);
  const expired = (count: number, at: number) =>
    one.database.query(
      `insert into customer_grants (id, partner, account, generation, hash, expires_at)
       select gen_random_uuid(), $2, $3, 0, sha256(i::text::bytea), $4 from generate_series(1, $1::int) i`,
      [count, partner.key, rows[0]?.id, new Date(at).toISOString()],
    );
  const { clock } = one;
  await expired(2_500, clock.now() - 1);
  await expired(3, clock.now() + minute);
  const token = tokenOf(await byCode(await newCode()));
  assert.equal(await pruneGrants({ pool: one.database, clock }), 2_500);
  assert.equal(await pruneGrants({ pool: one.database, clock }), 0);
  assert.equal((await kept()).length, 4);
  tokenOf(await byToken(token));
});
