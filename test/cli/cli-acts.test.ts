/** Operators in charge of a production database: one proposes by a command, another approves, a node carries it out. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCarryOutActs } from "../../packages/server/src/compose/acts/carry-out-acts.ts";
import { urlFor } from "../../packages/server/src/store/schema/roles.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { startPlainCore } from "../support/plain-core.ts";

const database = await useDatabase();
const asOwner = (...words: readonly string[]) =>
  runCli(words, { env: { TITIAN_SANDBOX: "0", DATABASE_URL: database.ownerUrl } });
const run = randomBytes(6).toString("hex");
const [security, approver, operator] = [`sri_${run}`, `adi_${run}`, `budi_${run}`];
const people = [security, approver, operator];
const group = `people_${run}`;
await runStatements(database.ownerUrl, [
  ...people.map((role) => `create role ${role} login password 'secret'`),
  `create role ${group}`,
]);
const granted = await asOwner("migrate", "--operator-role", group);
assert.match(granted.stdout, new RegExp(`Granted privileges to ${group}`));
await runStatements(database.ownerUrl, [`grant ${group} to ${people.join(", ")}`]);
after(async () => {
  await runStatements(database.ownerUrl, [
    `drop owned by ${group}`,
    ...[...people, group].map((role) => `drop role ${role}`),
  ]);
  await database.drop();
});

/** By the operator's own role, without the service's password and master key. */
const titian = (by: string, ...words: readonly string[]) =>
  runCli(words, { env: { TITIAN_SANDBOX: "0", DATABASE_URL: urlFor(database.ownerUrl, by, "secret") } });
const asAdministration = (...words: readonly string[]) =>
  runCli(words, { env: { TITIAN_SANDBOX: "0", DATABASE_URL: administrationUrlOf(database.url) } });
const issuer = "https://login.bank.example";
const balance = async () =>
  (await queryRows(database.url, "select balance from accounts where account_no = '7001'"))[0];

/** As a serving node does each second. */
async function carryOut() {
  await sleep(2_100);
  await using core = await startPlainCore(database.url);
  await createCarryOutActs(core).run(async () => true);
}

test("the database's owner names the first operators, once, and not one person twice", async () => {
  const person = (name: string, role: string) => `${issuer},${name},${name},${role}`;
  const bootstrap = (one: string, other: string) =>
    asOwner("operators", "bootstrap", "--security", one, "--approver", other);
  const same = await bootstrap(person("sri", security), person("sri", approver));
  assert.match(same.stderr, /One person cannot propose and approve/);
  const short = await bootstrap("sri", person("adi", approver));
  const nameless = await bootstrap(`titian,control,Sri,${security}`, person("adi", approver));
  assert.match(nameless.stderr, /issuer in --security is the address of the identity provider/);
  assert.equal(short.exitCode, 2);
  const named = await bootstrap(person("sri", security), person("adi", approver));
  assert.equal(named.exitCode, 0, named.stderr);
  const again = await bootstrap(person("eve", operator), person("eva", approver));
  assert.match(again.stderr, /the database has operators/);
  const { stdout } = await titian(approver, "operators", "list");
  assert.match(stdout, /adi .*approver[\s\S]*sri .*security/);
});

test("money comes on an account once another operator has approved it, and by a node alone", async () => {
  const fund = (by: string, ...more: readonly string[]) =>
    titian(by, "account", "fund", "7001", "1000.00", "--reference", "r-1", ...more);
  const open = ["account", "open", "--name", "Siti", "--account-no", "7001"];
  const stranger = await titian(operator, ...open, "--reason", "a gift");
  assert.match(stranger.stderr, new RegExp(`the database's role ${operator} is no operator's`));
  const person = ["--issuer", issuer, "--subject", "budi", "--name", "Budi", "--database-role", operator];
  const added = await titian(security, "operators", "add", ...person, "--role", "operator", "--reason", "starts today");
  assert.equal(added.exitCode, 5, added.stderr);
  const addition = /titian act show ([0-9a-f-]{36})/.exec(added.stderr)?.[1] ?? assert.fail(added.stderr);
  assert.match(
    (await titian(approver, "act", "show", addition)).stdout,
    /Add the operator Budi \(\S+ budi\) with the roles operator/,
  );
  assert.equal((await titian(approver, "act", "approve", addition, "--yes")).exitCode, 0);
  await carryOut();
  const unknown = await titian(security, "operators", "grant", "eve", "viewer", "--reason", "a guest");
  assert.match(unknown.stderr, /There is no operator eve/);
  const opened = await titian(operator, ...open, "--reason", "a new customer");
  assert.equal(opened.exitCode, 5, opened.stderr);
  const opening = /titian act show ([0-9a-f-]{36})/.exec(opened.stderr)?.[1] ?? assert.fail(opened.stderr);
  assert.equal((await titian(approver, "act", "approve", opening, "--yes")).exitCode, 0);
  await carryOut();
  assert.match((await fund(approver, "--reason", "a gift")).stderr, /proposed by the role operator/);
  assert.match((await fund(operator)).stderr, /say why, since operators are in charge/);
  const proposed = await fund(operator, "--reason", "a gift");
  assert.equal(proposed.exitCode, 5, proposed.stderr);
  assert.match(proposed.stderr, /waits for approval: nothing was changed yet/);
  const id = /titian act show ([0-9a-f-]{36})/.exec(proposed.stderr)?.[1] ?? assert.fail(proposed.stderr);
  assert.deepEqual(await balance(), { balance: "0" });

  const listed = await titian(approver, "act", "list", "--open");
  assert.match(listed.stdout, /Put IDR 1,000\.00 on account 7001 of Siti/);
  const own = await titian(operator, "act", "approve", id, "--yes");
  assert.deepEqual([own.exitCode, /whoever proposes an act does not approve it/.test(own.stderr)], [1, true]);
  await carryOut();
  assert.deepEqual(await balance(), { balance: "0" }, "nobody has approved it");
  const approved = await titian(approver, "act", "approve", id, "--yes");
  assert.equal(approved.exitCode, 0, approved.stderr);
  await carryOut();
  await carryOut();
  assert.deepEqual(await balance(), { balance: "100000" });
  const shown = await titian(operator, "act", "show", id);
  for (const line of [/^state +done$/m, /^proposed .* by https:\/\/login.bank.example budi$/m, /^decided .* adi$/m])
    assert.match(shown.stdout, line);
  assert.equal((await fund(operator, "--reason", "again")).exitCode, 0);
  assert.deepEqual(await balance(), { balance: "100000" });
});

test("money is taken off, corrected and moved by acts that say before and after, with a ticket", async () => {
  const ids: string[] = [];
  const propose = async (...words: readonly string[]) => {
    const said = ["--reason", "as agreed", "--ticket", "CASE-7"];
    const { stderr, exitCode } = await titian(operator, ...words, ...said);
    assert.equal(exitCode, 5, stderr);
    ids.push(/titian act show ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? assert.fail(stderr));
  };
  await propose("account", "withdraw", "7001", "250.00", "--reference", "counter");
  const other = ["account", "open", "--name", "Budi", "--account-no", "7002"];
  const second = await titian(operator, ...other, "--reason", "a new customer");
  assert.equal(second.exitCode, 5, second.stderr);
  const opening = /titian act show ([0-9a-f-]{36})/.exec(second.stderr)?.[1] ?? assert.fail(second.stderr);
  assert.match(
    (await titian(approver, "act", "approve", opening, "--yes")).stdout,
    /Open account 7002 of Budi with IDR 0\.00/,
  );
  await carryOut();
  await propose("account", "correct", "--debit", "7001=100.00", "--credit", "7002=100.00", "--reference", "twice");
  const shown = await Promise.all(ids.map(async (id) => (await titian(approver, "act", "show", id)).stdout));
  assert.match(
    shown[0] ?? "",
    /Take IDR 250\.00 off account 7001 of Siti \(now IDR 1,000\.00, then IDR 750\.00\), reference counter/,
  );
  assert.match(
    shown[1] ?? "",
    /debit 7001 of Siti IDR 100\.00 \(now IDR 1,000\.00, then IDR 900\.00\); credit 7002 of Budi/,
  );
  assert.match(shown[1] ?? "", /^ticket +CASE-7$/m);
  for (const id of ids) {
    const approved = await titian(approver, "act", "approve", id, "--yes");
    assert.equal(approved.exitCode, 0, approved.stderr);
  }
  await carryOut();
  assert.deepEqual(await balance(), { balance: "65000" });
  const { stdout } = await titian(operator, "ledger", "show");
  assert.match(stdout, /^funding:IDR +IDR +-750\.00$/m);
  const short = await titian(operator, "account", "withdraw", "7001", "650.01", "--reason", "more");
  assert.match(short.stderr, /It has IDR 650\.00 available now, which is less than IDR 650\.01/);
  const nowhere = await titian(operator, "ledger", "move", "unapplied", "--amount", "1.00", "--reason", "paid out");
  assert.deepEqual([nowhere.exitCode, /Account unclaimed:IDR/.test(nowhere.stderr)], [1, true], nowhere.stderr);
  const odd = await titian(operator, "account", "correct", "--debit", "7001");
  assert.deepEqual([odd.exitCode, /no account with an amount/.test(odd.stderr)], [2, true]);
});

test("an account is blocked at once and closed, limited and allowed by approval", async () => {
  await runStatements(database.ownerUrl, [
    `insert into partners (id, partner_id, client_key, name, status, signing, channel_id, settings, version, created_at)
      values (gen_random_uuid(), 'SHOP01', 'SHOP01', 'Shop', 'active', 'symmetric', '95221', '{}', 1, '2026-01-01')`,
  ]);
  const said = ["--reason", "asked by the holder"];
  const blocked = await titian(operator, "account", "block", "7002", ...said);
  assert.deepEqual([blocked.exitCode, /stands until another operator decides/.test(blocked.stderr)], [0, true]);
  const unblocked = await titian(operator, "account", "status", "7002", "active", ...said);
  assert.equal(unblocked.exitCode, 5, unblocked.stderr);
  const list = await titian(approver, "act", "list", "--target", "7002", "--open");
  for (const line of [
    /Block account 7002 of Budi: .* was active/,
    /Change account 7002 of Budi: status from blocked to/,
  ])
    assert.match(list.stdout, line);
  const [idOfBlocking] = /^\S{36}(?= +proposed +Block)/m.exec(list.stdout) ?? assert.fail(list.stdout);
  assert.equal((await titian(approver, "act", "refuse", idOfBlocking, "--reason", "a mistake")).exitCode, 0);
  assert.match(
    (await titian(operator, "account", "show", "7002")).stdout,
    /^7002 .* active .*[\s\S]*Open act: Change/m,
  );
  const limited = await titian(operator, "account", "limits", "7001", "--each", "10.00", "--daily-count", "3", ...said);
  const id = /titian act show ([0-9a-f-]{36})/.exec(limited.stderr)?.[1] ?? assert.fail(limited.stderr);
  assert.match(
    (await titian(approver, "act", "show", id)).stdout,
    /limit of a transfer from none to IDR 10\.00; transfers of a day from none to 3/,
  );
  assert.equal((await titian(approver, "act", "approve", id, "--yes")).exitCode, 0);
  await carryOut();
  const open = await titian(operator, "account", "allow", "7001", "SHOP01", ...said);
  assert.equal(open.exitCode, 5, open.stderr);
  const shown = (await titian(operator, "account", "show", "7001")).stdout;
  for (const line of [
    /^limit of a transfer +10\.00$/m,
    /^limit of a day +none$/m,
    /^transfers of a day +3$/m,
    /SHOP01 may debit it/,
  ])
    assert.match(shown, line);
  const full = await titian(operator, "account", "close", "7001", ...said);
  assert.deepEqual([full.exitCode, /with money on it/.test(full.stderr)], [1, true]);
});

test("a refused act moves nothing, and what the ledger rejects by then is told", async () => {
  const propose = async (amount: string, reference: string) => {
    const words = ["account", "fund", "7001", amount, "--reference", reference, "--reason", "pay"];
    const { stderr } = await titian(operator, ...words);
    return /titian act show ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? assert.fail(stderr);
  };
  const refused = await propose("5.00", "r-2");
  const refusal = await titian(approver, "act", "refuse", refused, "--reason", "the wrong account");
  assert.equal(refusal.exitCode, 0, refusal.stderr);
  assert.equal((await titian(approver, "act", "approve", refused, "--yes")).exitCode, 1);
  const late = await propose("7.00", "r-3");
  await propose("8.00", "r-4");
  // Proposed at the database's door, and nothing that a node can read.
  const odd = `'{"amount": "x", "currency": "IDR", "entries": "7001 1 IDR"}'`;
  await queryRows(
    urlFor(database.ownerUrl, operator, "secret"),
    `select propose_act(gen_random_uuid(), 'funding', '7001', 'odd', null, ${odd}, 'odd', null, '1 day')`,
  );
  const sheet = await titian(approver, "act", "approve-sheet", "funding", "--yes");
  assert.match(sheet.stdout, /^3 acts of the kind funding, 15\.00 IDR; hash [0-9a-f]{64}\nApproved 3/);
  assert.match((await titian(approver, "act", "approve-sheet", "funding")).stdout, /No act of the kind funding waits/);
  await runStatements(database.ownerUrl, ["update accounts set status = 'closed' where account_no = '7001'"]);
  await carryOut();
  assert.match((await titian(operator, "act", "show", refused)).stdout, /refused because +the wrong account/);
  assert.match((await titian(operator, "act", "show", late)).stdout, /not done because +The account is closed/);
  assert.deepEqual(await balance(), { balance: "65000" });
  for (const audited of [await titian(approver, "audit"), await asAdministration("audit")])
    assert.equal(audited.exitCode, 0, audited.stdout + audited.stderr);
});

test("a rail is closed at once by one operator, kept closed by another, and opened by both", async () => {
  const state = async (name: string) =>
    new RegExp(`^${name} +(open|closed)`, "m").exec((await titian(approver, "switch", "list")).stdout)?.[1];
  const idIn = (text: string) => /titian act show ([0-9a-f-]{36})/.exec(text)?.[1] ?? assert.fail(text);
  const why = ["--reason", "answers late", "--ticket", "INC-7"];
  const nobody = await titian(security, "switch", "close", "rail:skn", ...why);
  assert.match(nobody.stderr, /proposed by the role approver or operator/);
  assert.match(
    (await titian(operator, "switch", "close", "rail:skn")).stderr,
    /say why, since operators are in charge/,
  );
  const closed = await titian(operator, "switch", "close", "rail:skn", ...why);
  assert.equal(closed.exitCode, 0, closed.stderr);
  assert.match(closed.stderr, /It is done, and stands until another operator decides on it/);
  assert.equal(await state("rail:skn"), "closed");
  const id = idIn(closed.stderr);
  const own = await titian(operator, "act", "refuse", id, "--reason", "my mistake");
  assert.match(own.stderr, /taken back by another operator/);
  const kept = await titian(approver, "act", "approve", id, "--yes");
  assert.deepEqual([kept.exitCode, /It was carried out/.test(kept.stdout)], [0, true], kept.stderr);
  const shown = await titian(operator, "act", "show", id);
  for (const line of [/^does +Close rail:skn at once/m, /^ticket +INC-7$/m, /^state +done$/m])
    assert.match(shown.stdout, line);

  const opening = await titian(operator, "switch", "reopen", "rail:skn", "--reason", "answers again");
  assert.equal(opening.exitCode, 5, opening.stderr);
  assert.equal(await state("rail:skn"), "closed");
  assert.equal((await titian(approver, "act", "approve", idIn(opening.stderr), "--yes")).exitCode, 0);
  await carryOut();
  assert.equal(await state("rail:skn"), "open");

  const again = await titian(operator, "switch", "close", "intake", "--reason", "a drill");
  const refused = await titian(approver, "act", "refuse", idIn(again.stderr), "--reason", "no drill today");
  assert.match(refused.stdout, /It is refused: what it had changed is taken back/);
  assert.equal(await state("intake"), "open");
});
