// Operators' acts in the audit: a chain that was broken, and steps that do not belong together.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  correctAccounts,
  fundAccount,
  moveLedger,
  withdrawFromAccount,
} from "../../packages/server/src/admin/accounts/move-money.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { registerMerchant } from "../../packages/server/src/admin/merchants/merchants.ts";
import { rotateCredentials } from "../../packages/server/src/admin/partners/partner-credentials.ts";
import { onboardPartner, setPartnerStatus } from "../../packages/server/src/admin/partners/partners.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { spoilRows } from "../support/database/with-client.ts";
import { startNode } from "../support/administration.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { createRailFixture } from "../support/rail-fixture.ts";

const original = await createRailFixture();
after(() => original[Symbol.asyncDispose]());
{
  await using node = await startNode(original.url);
  const secret = "another-secret-0123456789";
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  valueOf(await rotateCredentials(node, partnerId, { secret }));
  valueOf(await setPartnerStatus(node, partnerId, "suspended"));
  const merchant = { partnerId, merchantId: "M-1", name: "SPBU", settlementAccountNo: "3001" };
  valueOf(await registerMerchant(node, merchant));
  for (const reference of ["first", "second"])
    valueOf(await fundAccount(node, { accountNo: "3001", currency: "IDR", amount: minor(500n), reference }));
  const byOne = { currency: "IDR", amount: minor(300n) };
  valueOf(await withdrawFromAccount(node, { ...byOne, accountNo: "3001", reference: "counter" }));
  valueOf(await moveLedger(node, { ...byOne, pair: "clearing", rail: "skn", reference: "settled" }));
  valueOf(await moveLedger(node, { ...byOne, pair: "fee", rail: "skn", reference: "income" }));
  const entries = [
    { accountNo: "fee:interbank:IDR", direction: "debit", amount: minor(100n) },
    { accountNo: "3001", direction: "credit", amount: minor(100n) },
  ] as const;
  valueOf(await correctAccounts(node, { currency: "IDR", reference: "fee-back", entries }));
}
assert.deepEqual(await runAudit(original.url), { ok: true, findings: [] });

const act = "(select act_id from act_steps where reference = 'first')";
/** The chain as whoever can write everything would mend it. */
const mend = `do $$ declare s act_steps; last bytea; begin
  for s in select * from act_steps order by position loop
    if s.position > 0 then s.previous := last; end if;
    last := act_step_hash(s);
    update act_steps set previous = s.previous, hash = last where position = s.position;
    update act_chain set position = s.position, hash = last;
  end loop;
end $$`;

const spoiled: readonly (readonly [what: string, statements: readonly string[], finds: readonly string[]])[] = [
  ["a reason that was rewritten", [`update act_steps set reason = 'other' where reference = 'first'`], ["actStepHash"]],
  [
    "a step that was removed",
    [`delete from act_steps where act_id = ${act} and step = 'approved'`],
    ["actChain", "actIsApproved"],
  ],
  [
    "two steps that were swapped",
    [
      `update act_steps set position = 1000 + position where act_id = ${act} and step <> 'carried out'`,
      "update act_steps set position = position - 1000 + case step when 'approved' then -1 else 1 end where position > 1000",
    ],
    ["actChain", "actStepHash"],
  ],
  [
    "an act at the end of the chain that was removed whole",
    ["delete from act_steps where act_id = (select act_id from act_steps where reference = 'second')"],
    ["actChain", "actOfEarlierRelease"],
  ],
  [
    "an approval that was taken out, and the chain mended",
    [`delete from act_steps where act_id = ${act} and step = 'approved'`, mend],
    ["actChain", "actIsApproved"],
  ],
  [
    "an act that moved other money than was approved, and the chain mended",
    [
      `update act_steps set after = after || '{"entries": "3001 900 IDR, funding:IDR -900 IDR"}' where reference = 'first'`,
      mend,
    ],
    ["actMovedAsApproved"],
  ],
  [
    "an act that was spent on another result, and the chain mended",
    [`update act_steps set after = after || '{"resolution": "settled"}' where kind = 'return'`, mend],
    ["operatorHasAct"],
  ],
  [
    "an act that is done without money, and the chain mended",
    [`update act_steps set journal_id = null, entries = null where act_id = ${act} and step = 'carried out'`, mend],
    ["actMovedAsApproved"],
  ],
  ...(["counter", "settled", "fee-back"] as const).map((reference) => {
    const journal = `(select s.journal_id from act_steps s join act_steps p on p.act_id = s.act_id and p.reference = '${reference}'
      where s.step = 'carried out')`;
    return [
      `the journal of the act ${reference} without its act`,
      [`delete from acts where journal_id = ${journal}`],
      ["actMovedAsApproved", "journalHasOrigin"],
    ] as const;
  }),
  ["a journal of another kind than its act", ["update entries set kind = 11 where kind = 12"], ["journalHasOrigin"]],
  [
    "an act as earlier releases wrote them",
    ["insert into acts select gen_random_uuid(), 'opening', 'late', gen_random_uuid(), '', now()"],
    ["actOfEarlierRelease", "journalHasOrigin"],
  ],
  [
    "an act of a sandbox in production",
    [
      `insert into service_state (name, value) values ('environment', '"production"')`,
      `update act_steps set who = 'titian sandbox' where act_id = ${act} and step = 'approved'`,
      mend,
    ],
    ["actByOperator"],
  ],
  [
    "an approval by nobody after operators came",
    [
      `update act_steps set target = 'bootstrap' where position = (select min(position) from act_steps where kind = 'opening')`,
      mend,
    ],
    ["actByOperator"],
  ],
  ["a partner's terms that no act says", [`update partners set name = 'Other'`], ["referenceHasAct"]],
  ["a partner that resumed without an act", [`update partners set status = 'active'`], ["referenceHasAct"]],
  [
    "a public key that no act has added",
    [`update partner_credentials set value = 'x' where kind = 'publicKey'`],
    ["referenceHasAct"],
  ],
  [
    "a credential whose end was put off",
    ["update partner_credentials set expires_at = expires_at + interval '1 day' where expires_at is not null"],
    ["referenceHasAct"],
  ],
  ["a merchant's terms that no act says", [`update merchants set name = 'Other'`], ["referenceHasAct"]],
  [
    "a partner in production without an act",
    [
      `insert into service_state (name, value) values ('environment', '"production"')`,
      "update migrations set applied_at = '2000-01-01' where number = 40",
      "update partners set act_id = null",
    ],
    ["referenceHasAct"],
  ],
  [
    "an act that is open no more and is told of as open",
    [`insert into open_acts values (${act}, 'funding', '3001', 'x', 'approved', now())`],
    ["actIsOpen"],
  ],
  [
    "a rail that no act has closed",
    [`insert into switches values ('rail:skn', ${act}, 'a reason', now())`],
    ["switchHasAct"],
  ],
];

for (const [what, statements, finds] of spoiled) {
  test(`the audit finds ${what}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await spoilRows(copy.url, statements);
    const { findings } = await runAudit(copy.url);
    assert.deepEqual([...new Set(findings.map(({ check }) => check))].toSorted(), finds);
  });
}
