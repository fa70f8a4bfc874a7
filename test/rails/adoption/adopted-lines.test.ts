/** Goal: a line is adopted as far as it goes, beside what the restored ledger has, and the audit tells a forged adoption. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { decideOnDifference } from "../../../packages/server/src/compose/rails/rail-differences.ts";
import { fromReferenceNo, toReferenceNo } from "../../../packages/server/src/basics/ids.ts";
import { railNames } from "../../../packages/server/src/ledger/rails/terms.ts";
import { adoptNumber } from "../../../packages/server/src/rails/adoption/adopt.ts";
import { railEventCommand } from "../../../packages/server/src/rails/commands/event-command.ts";
import { resolveTransfer } from "../../../packages/server/src/rails/commands/resolve-transfer.ts";
import { findReported } from "../../../packages/server/src/rails/find-reported.ts";
import { findTransfer } from "../../../packages/server/src/store/reads/transfers.ts";
import { queryRows, runStatements, spoilRows, withClient } from "../../support/database/with-client.ts";
import { openRail, recordAhead, urlsOf } from "../../support/forgotten-payments.ts";
import { adopt, depsOf, itemNumber, numbers, reason, restored, sentAs, world } from "./carried-payments.ts";

const without = (line: string, ...names: readonly string[]) => {
  const members = JSON.parse(line) as Record<string, unknown>;
  for (const name of names) delete members[name];
  return JSON.stringify(members);
};

const setAside = (rail: string, name: string, state: string) =>
  `insert into set_aside_results (rail, reference_no, state, reason, set_aside_at)
    values ('${rail}', '${numbers[name]}', '${state}', 'unknown', now())`;

test("a line of an earlier release comes back without what it does not say; one that was changed, or says too little, is refused", async () => {
  await using copy = await world.restore();
  const { url, ownerUrl } = urlsOf(copy);
  const [settled = "", rejected = "", owed = "", changed = "", first = "", second = ""] = world.linesOf("interbank");
  const cases = [
    [without(settled, "payload", "freeForm", "bulk"), "debited"],
    [without(rejected, "payload"), "debited"],
    [without(owed, "payerAccountNo"), "refused: its line does not have payerAccountNo"],
    [changed.replace("5000.00", "5000.01"), "refused: its record is not that of its instruction"],
    [without(first, "bulk"), "refused: its line does not have bulk"],
    // Without the payload of one, the other comes back.
    [second, "debited"],
  ] as const;
  await recordAhead(
    url,
    "interbank",
    cases.map(([line]) => line),
  );
  await using node = await world.startRailNode(url);
  const told = new Map(
    (await adopt(node)).map((one) => [one.referenceNo, one.kind === "refused" ? `refused: ${one.why}` : one.kind]),
  );
  for (const [line, expected] of cases) {
    const { referenceNo } = JSON.parse(line) as { referenceNo: string };
    assert.ok(told.get(referenceNo)?.startsWith(expected), `${told.get(referenceNo)}, not ${expected}`);
  }
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
  assert.match((await node.call(sentAs("rejected"))).case, /conflict/i);
  const unknown = await adoptNumber(depsOf(node.node), "interbank", "01M7Z8RFFEE00SNE7YAN8SN9KR", reason);
  assert.match(JSON.stringify(unknown), /no line of it is ahead/);
});

test("a repeat that was accepted meanwhile is the same payment; a number that was used otherwise is refused", async () => {
  await using copy = await world.restore();
  const { url, ownerUrl } = urlsOf(copy);
  await using node = await world.startRailNode(url);
  const before = await queryRows(ownerUrl, "select count(*) from transfers");
  assert.deepEqual(before, [{ count: "0" }]);
  await node.call(sentAs("open"));
  await node.call(sentAs("bulk"));
  // Another payment that uses an external id again, and keeps it.
  const again = sentAs("returned");
  const reused = await node.call({ ...again, request: { ...again.request, partnerReferenceNo: "REUSED" } });
  const { request } = sentAs("settled");
  await node.call({
    ...sentAs("settled"),
    request: { ...request, amount: { value: "1.00", currency: "IDR" } },
  });
  for (const rail of railNames) await recordAhead(url, rail, world.linesOf(rail));
  const results = await adopt(node);
  const kindOf = (number: string | undefined) => results.find(({ referenceNo }) => referenceNo === number)?.kind;
  assert.equal(kindOf(numbers["open"]), "repeated");
  assert.equal(kindOf(itemNumber(world.linesOf("interbank"), 0)), "repeated");
  assert.equal(kindOf(numbers["settled"]), "refused");
  assert.equal(kindOf(numbers["returned"]), "debited");
  assert.match((await node.call(again)).case, /conflict/i);
  const used = { referenceNo: String(numbers["settled"]), decision: "carried", reason, at: Date.now() } as const;
  assert.ok((await decideOnDifference(node.node.database, "interbank", used)).ok);
  // It has the number of the line's intent, and is another payment.
  assert.equal(await findReported(node.node.reads, "interbank", used.referenceNo), undefined);
  const holder = await queryRows(
    ownerUrl,
    `select k.request_id from request_keys k join accepted_requests r on r.external_id_key = k.key
      where r.external_id = '${again.externalId}' order by r.id limit 1`,
  );
  assert.deepEqual(holder, [{ request_id: fromReferenceNo(String(reused.fields?.["referenceNo"])) }]);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

test("no repeat is rejected while its rail is ahead; the line of one that was rejected before is refused, and its results stay open", async () => {
  await using copy = await world.restore();
  const { url, ownerUrl } = urlsOf(copy);
  await using railNode = await world.startRailNode(url);
  const { node } = railNode;
  for (const name of ["open", "bulk"]) await railNode.call(sentAs(name));
  node.clock.setOffset(node.clock.offset() + 60_000);
  const repeats = (await queryRows(ownerUrl, "select id from transfers order by id")) as readonly { id: string }[];
  assert.equal(repeats.length, 4);
  for (const { id } of repeats) {
    const rejected = resolveTransfer(node, toReferenceNo(id), { resolution: "rejected", withoutInquiry: true });
    await assert.rejects(rejected, /directory of the \w+ rail has lines .* titian rails reconcile/);
    const known = (await findTransfer(node.reads, id)) ?? assert.fail();
    // As before its directory was compared.
    const outcome = await node.engine.submit(
      railEventCommand(known, { event: "reject", rejection: "rejectedByRail", by: "rail" }, node.clock.real()),
    );
    assert.equal(outcome.kind, "effect");
  }
  await runStatements(ownerUrl, [setAside("rtgs", "open", "settled")]);
  for (const rail of railNames) await recordAhead(url, rail, world.linesOf(rail));
  const results = await adopt(railNode);
  const lines = [numbers["open"], ...[0, 1].map((position) => itemNumber(world.linesOf("interbank"), position))];
  for (const number of lines) {
    const result = results.find(({ referenceNo }) => referenceNo === number);
    assert.match(
      result?.kind === "refused" ? result.why : `${result?.kind}`,
      /was rejected, and its payer has the money/,
    );
  }
  const open = await queryRows(
    ownerUrl,
    "select reference_no from rail_differences where decision is null order by id",
  );
  assert.deepEqual(new Set(open.map((row) => (row as { reference_no: string }).reference_no)), new Set(lines));
  const kept = await queryRows(ownerUrl, "select reference_no from set_aside_results where closed_at is null");
  assert.deepEqual(kept, [{ reference_no: numbers["open"] }]);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

test("what was set aside of a forgotten payment ends it, though the rail reports it no more; the ledger's own transfer is known", async () => {
  await using copy = await restored();
  const { url, ownerUrl } = urlsOf(copy);
  await runStatements(ownerUrl, [
    setAside("skn", "returned", "settled"),
    setAside("skn", "returned", "returned"),
    setAside("interbank", "rejected", "rejected"),
    setAside("interbank", "owedRejected", "rejected"),
    setAside("interbank", "settled", "settled"),
    setAside("interbank", "settled", "rejected"),
    setAside("interbank", "owed", "pending"),
    // All results of the files are acknowledged.
    ...["interbank", "skn"].map(
      (rail) => `insert into rail_result_files (rail, name, up_to, beyond) values ('${rail}', 'a.jsonl',
        ${statSync(join(world.directory, rail, "results", "a.jsonl")).size}, '{}')`,
    ),
  ]);
  await using node = await world.startRailNode(url);
  await adopt(node);
  const kept = await queryRows(ownerUrl, "select reference_no, state from set_aside_results where closed_at is null");
  assert.deepEqual(kept, [{ reference_no: numbers["settled"], state: "rejected" }]);
  for (const rail of railNames) await openRail(url, rail);
  await node.work(4);
  const states = await queryRows(ownerUrl, "select state, count(*)::int from transfers group by state order by state");
  assert.deepEqual(states, [
    { state: "pending", count: 4 },
    { state: "rejected", count: 2 },
    { state: "returned", count: 1 },
    { state: "settled", count: 1 },
  ]);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });

  // Its node had asked for the export when the copy was made.
  await spoilRows(ownerUrl, [
    "update rail_instructions set sequence = null, fence = null, written_at = null where rail = 'rtgs'",
    setAside("rtgs", "open", "settled"),
    "delete from rail_differences where rail = 'rtgs'",
  ]);
  await recordAhead(url, "rtgs", world.linesOf("rtgs"));
  assert.deepEqual(await adopt(node), [{ referenceNo: numbers["open"], kind: "known" }]);
  const [instruction] = await queryRows(ownerUrl, "select sequence, state from rail_instructions where rail = 'rtgs'");
  assert.deepEqual(instruction, { sequence: "1", state: "settled" });
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

test("a line that the database does not take is refused by itself, and the others are adopted", async () => {
  await using copy = await restored();
  const { url, ownerUrl } = urlsOf(copy);
  const keyOf = (number: string | undefined) =>
    JSON.parse(world.linesOf("interbank").find((line) => line.includes(number ?? "")) ?? "{}").idempotencyKey;
  // It went out again beside a lost directory, under the number of the repeat.
  await runStatements(ownerUrl, [
    `insert into rail_instructions (rail, reference_no, idempotency_key, terms, valid_until, sequence, written_at)
      values ('interbank', 'R1', '${keyOf(numbers["settled"])}', '{}', now(), 91, now())`,
  ]);
  await using node = await world.startRailNode(url);
  const results = await adopt(node);
  const why = results.map((one) => (one.kind === "refused" ? `${one.referenceNo}: ${one.why}` : ""));
  assert.match(
    why.join(""),
    new RegExp(`^${numbers["settled"]}: the database does not take it: .*rail_instructions_by_key`),
  );
  const open = await queryRows(ownerUrl, "select reference_no from rail_differences where decision is null");
  assert.deepEqual(open, [{ reference_no: numbers["settled"] }]);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

test("no line counts as adopted without its instruction", async () => {
  await using copy = await restored();
  const decide =
    "update rail_differences set decision = 'adopted', reason = 'x', decided_at = now() where rail = 'skn'";
  await assert.rejects(runStatements(copy.url, [decide]), /adopted together with its instruction/);
});

test("the audit finds an adoption without its act, an act of another kind or entries, and one of no journal", async () => {
  await using copy = await restored();
  const { url, ownerUrl } = urlsOf(copy);
  await using node = await world.startRailNode(url);
  await adopt(node);
  const actOf = (name: string) =>
    `journal_id = (select id from accepted_requests where external_id = '${sentAs(name).externalId}' and service = ${name === "bulk" ? "20 and external_id_key is not null" : "18"})`;
  const forgeries: readonly (readonly [string, readonly string[]])[] = [
    [`delete from acts where ${actOf("owed")}`, ["actMovedAsApproved", "transferFollowsRequest"]],
    [`update acts set kind = 'opening' where ${actOf("owed")}`, ["journalHasOrigin", "transferFollowsRequest"]],
    [`update acts set entries = '' where ${actOf("settled")}`, ["actMovedAsApproved", "journalHasOrigin"]],
    [`update acts set kind = 'opening' where ${actOf("bulk")}`, ["journalHasOrigin"]],
    [
      "insert into acts (id, kind, reason, journal_id, entries, at) select id, 'adoption', 'x', id, '', now() from (select gen_random_uuid() as id) n",
      ["actOfEarlierRelease", "journalHasOrigin"],
    ],
  ];
  for (const [statement, expected] of forgeries) {
    await withClient(ownerUrl, async (client) => {
      await client.query("alter table acts disable trigger user");
      await client.query("create table kept_acts as table acts");
      await client.query(statement);
    });
    const { findings } = await runAudit(ownerUrl);
    assert.deepEqual([...new Set(findings.map(({ check }) => check))].toSorted(), expected, statement);
    await runStatements(ownerUrl, ["delete from acts", "insert into acts table kept_acts", "drop table kept_acts"]);
  }
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});

test("what a rail reports of a line whose repeat was accepted is the repeat's, also once it has ended", async () => {
  await using copy = await world.restore();
  const { url, ownerUrl } = urlsOf(copy);
  await using node = await world.startRailNode(url);
  const repeat = await node.call(sentAs("open"));
  for (const rail of railNames) await recordAhead(url, rail, world.linesOf(rail));
  await adopt(node);
  for (const rail of railNames) await openRail(url, rail);
  const stateOf = async () => {
    const id = fromReferenceNo(String(repeat.fields?.["referenceNo"])) ?? assert.fail();
    return (await findTransfer(node.node.reads, id))?.state;
  };
  for (const result of ["settled", "returned"]) {
    world.report("rtgs", { referenceNo: numbers["open"], result });
    await node.work(0);
    assert.equal(await stateOf(), result);
  }
  assert.deepEqual(await queryRows(ownerUrl, "select reference_no, state from set_aside_results"), []);
  assert.deepEqual(await runAudit(ownerUrl), { ok: true, findings: [] });
});
