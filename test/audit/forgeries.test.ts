// Forgeries by whoever has the password of the service's role, which may write entries and balances. What no request,
// rail or act explains is found, by an audit of everything and by one of what came since.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { postingKinds } from "../../packages/server/src/ledger/posting.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { runStatements, withClient } from "../support/database/with-client.ts";
import { createRailFixture } from "../support/rail-fixture.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";

const original = await createRailFixture();
after(() => original[Symbol.asyncDispose]());
assert.deepEqual(await runAudit(original.url, { watermark: "renew", lateCommitMs: 0 }), { ok: true, findings: [] });

const thief = `insert into accounts (id, account_no, name, currency, purpose, type, status, minimum_balance, opened_at)
  values ('${newId()}', '9009', 'Thief', 'IDR', 'customer', 'S', 'active', 0, now())`;

/** Two balanced entries and their two balances, as a commit of the service writes them. */
const move = (kind: number, from: string, to: string, amount: number, journal = `'${newId()}'`) => [
  `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    select a.id, a.version + 1, ${journal}, ${kind}, 'IDR', m.amount, a.balance + m.amount, now()
    from (values ('${from}', ${-amount}), ('${to}', ${amount})) m (account_no, amount) join accounts a using (account_no)`,
  `update accounts a set version = version + 1, balance = balance + m.amount
    from (values ('${from}', ${-amount}), ('${to}', ${amount})) m (account_no, amount) where a.account_no = m.account_no`,
];

/** An end of the transfer, and its journal. */
const end = (transfer: string, changes: string, journal: string) =>
  `update transfers set ${changes.replace("$", `'${journal}'`)}, version = version + 1 where ${transfer}`;
const rejected = newId();
const settled = newId();
const returned = newId();
const rejection = "state = 'rejected', is_open = false, resolved_by = 'rail', resolution_journal_id = $";
const settlement = rejection.replace("rejected", "settled");

const { funding, transfer, reversal, settlement: settles, fee, return: returns } = postingKinds;
const suspense = suspenseNoOf();
const oldest = "(select journal_id from entries order by journal_id limit 1)";
const request = "(select id from transfers where is_open)";
const notFoundSince = true;

const forgeries: readonly (readonly [what: string, statements: readonly string[], finds: string, isOld?: true])[] = [
  ["money from nowhere", move(funding, "funding:IDR", "9009", 5_000), "journalHasOrigin"],
  ["entries of a kind that nothing writes", move(99, "3001", "9009", 5_000), "journalHasOrigin"],
  ["a transfer that nobody requested", move(transfer, "3001", "9009", 5_000), "recordHasJournal"],
  [
    "entries added to an opening",
    move(funding, "funding:IDR", "9009", 5_000, oldest),
    "journalHasOrigin",
    notFoundSince,
  ],
  ["entries added to a request", move(funding, "3001", "9009", 5_000, request), "journalHasOrigin", notFoundSince],
  [
    "a rejection whose money goes to another account",
    [end("is_open", rejection, rejected), ...move(reversal, suspense, "9009", 253_000, `'${rejected}'`)],
    "transferEndOnItsAccounts",
  ],
  [
    "a settlement that pays another account",
    [
      end("is_open", settlement, settled),
      ...move(settles, suspense, "9009", 3_000, `'${settled}'`),
      ...move(fee, suspense, "fee:interbank:IDR", 250_000, `'${settled}'`),
    ],
    "transferEndOnItsAccounts",
  ],
  [
    "a return to another account",
    [
      end(
        "service = 18 and state = 'settled'",
        "state = 'returned', returned_by = 'rail', return_journal_id = $",
        returned,
      ),
      ...move(returns, "clearing:interbank:IDR", "9009", 1_000, `'${returned}'`),
    ],
    "transferEndOnItsAccounts",
  ],
  [
    "a return by an operator of whom no act is known",
    [
      end(
        "service = 18 and state = 'settled'",
        "state = 'returned', returned_by = 'operator', return_journal_id = $",
        returned,
      ),
      ...move(returns, "clearing:interbank:IDR", "3001", 1_000, `'${returned}'`),
    ],
    "operatorHasAct",
  ],
];

for (const [what, statements, check, isOld] of forgeries) {
  test(`the audit finds ${what}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await runStatements(roleUrlsOf(copy.url).url, ["begin", thief, ...statements, "commit"]);
    const options: readonly AuditOptions[] = [{}, ...(isOld ? [] : [{ watermark: "use" } as const])];
    for (const option of options) {
      const { findings } = await runAudit(copy.url, option);
      assert.deepEqual([...new Set(findings.map((finding) => finding.check))], [check]);
    }
  });
}

test("the service's role cannot justify money by an act, and nobody changes one", async () => {
  const { url, ownerUrl } = original;
  const act = `insert into acts (id, kind, reason, journal_id, entries, at)
    values ('${newId()}', 'opening', 'forged', '${newId()}', '', now())`;
  await assert.rejects(runStatements(url, [act]), /permission denied for table acts/);
  for (const change of ["update acts set reason = 'other'", "delete from acts", "truncate acts"])
    await assert.rejects(runStatements(ownerUrl, [change]), /acts are never changed or deleted/);
});

test("an audit goes no further than a commit that others cannot see yet, whoever audits", async () => {
  for (const role of ["url", "administrationUrl"] as const) {
    await using copy = await copyDatabase(original.ownerUrl);
    const urls = roleUrlsOf(copy.url);
    await withClient(urls.url, async (writer) => {
      // As one that waits for its synchronous standby: it began, and nobody sees it.
      await writer.query("begin");
      for (const statement of [thief, ...move(funding, "funding:IDR", "9009", 5_000)]) await writer.query(statement);
      assert.deepEqual(await auditSince(urls[role]), []);
      await writer.query("commit");
    });
    assert.deepEqual(await auditSince(urls[role]), ["journalHasOrigin"]);
  }
});

async function auditSince(url: string): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { watermark: "use", lateCommitMs: 0 });
  return findings.map(({ check }) => check);
}
