/** `titian transfer` beside a running sandbox: pending transfers, a transfer's state and postings, an operator's resolution. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { eventually } from "../../support/black-box/answers.ts";
import { cellsOf, type Sent, startCliFixture } from "../../support/cli/cli-fixture.ts";
import { suspenseNoOf } from "../../support/suspense-account.ts";

const fixture = await startCliFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, run, lines, scenario, newPayer, send } = fixture;

const sendOpen = () => send("transfer-interbank", "2021800", "limbo");
const sendSettled = () => send("transfer-interbank", "2001800", "success");
const balanceOf = async ({ payer }: Sent) => (await control.account(payer)).ledgerBalance;

async function statusOf({ referenceNo }: Sent, serviceCode = "18"): Promise<unknown> {
  const inquiry = { serviceCode, originalReferenceNo: referenceNo };
  return (await alpha.call("transfer/status", inquiry)).body["latestTransactionStatus"];
}

/** Masks what differs from run to run. */
const masked = (cells: readonly string[], { payer, referenceNo, partnerReferenceNo, externalId }: Sent) =>
  cells.map((cell) =>
    cell
      .replaceAll(suspenseNoOf(), "<suspense>")
      .replaceAll(payer, "<payer>")
      .replaceAll(referenceNo, "<number>")
      .replaceAll(partnerReferenceNo, "<theirs>")
      .replaceAll(externalId, "<id>")
      .replaceAll(/\bIN\d{12}\b/g, "<trace>")
      .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "<journal>"),
  );

test("pending transfers are listed oldest first, in pages, by age", async () => {
  const older = await sendOpen();
  await sendSettled();
  const newer = await sendOpen();
  const rowOf = ({ referenceNo, payer }: Sent) =>
    new RegExp(
      String.raw`^${referenceNo} \| interbank \| ${payer} \| 014 \| ${scenario("limbo")} \| 10,000\.00 \| IDR \| pending \| <time> \| \d+ \| <time>$`,
    );

  const [header, first = "", second = "", ...others] = await lines("transfer list");
  assert.equal(
    header,
    "transfer | rail | payer | bank | beneficiary | sent amount | currency | state | accepted | inquiries | next inquiry",
  );
  assert.match(first, rowOf(older));
  assert.match(second, rowOf(newer));
  assert.deepEqual(others, []);

  const page = await run("transfer list --limit 1");
  assert.match(page.stderr, new RegExp(`More: titian transfer list --after ${older.referenceNo}\n$`));
  const [, next] = await lines(`transfer list --limit 1 --after ${older.referenceNo}`);
  assert.match(next ?? "", rowOf(newer));

  assert.equal((await lines("transfer list --overdue")).length, 1);
  await control.advance(3_601);
  await alpha.token({ fresh: true });
  const latest = await sendOpen();
  const overdue = await run("transfer list --overdue --limit 2");
  assert.deepEqual(
    cellsOf(overdue).map((row) => row.split(" ")[0]),
    ["transfer", older.referenceNo, newer.referenceNo],
  );
  assert.match(overdue.stderr, new RegExp(`More: titian transfer list --overdue --after ${newer.referenceNo}\n$`));
  const aged = await run("transfer list --older-than 60m --limit 2");
  assert.equal(aged.stdout, overdue.stdout);
  assert.match(aged.stderr, new RegExp(`list --older-than 60m --after ${newer.referenceNo}\n$`));
  assert.equal((await lines("transfer list --older-than 999999999d")).length, 1);
  assert.equal((await lines("transfer list")).length, 4);
  for (const { referenceNo } of [older, newer, latest]) await run(`transfer resolve ${referenceNo} rejected --yes`);
  assert.equal((await lines("transfer list")).length, 1);
});

test("all transfers are listed newest first, by partner, day and state", async () => {
  const older = await sendSettled();
  const newer = await sendSettled();
  const [header, first = ""] = await lines("transfer list --state settled --limit 2");
  assert.equal(
    header,
    "transfer | service | partner | payer | bank | beneficiary | sent amount | currency | state | accepted",
  );
  assert.match(first, new RegExp(String.raw`^${newer.referenceNo} \| 18 \| alpha \| ${newer.payer} \| 014 \|`));
  const page = await run("transfer list --partner alpha --from 2020-01-01 --limit 1");
  assert.match(page.stderr, /More: titian transfer list --partner alpha --from 2020-01-01 --after [0-9A-Z]{26}\n$/);
  const [, next = ""] = await lines(`transfer list --partner alpha --after ${newer.referenceNo}`);
  assert.ok(next.startsWith(older.referenceNo), next);
  assert.equal((await lines("transfer list --from 2099-01-01")).length, 1);
  assert.match((await run("transfer list --partner NOBODY")).stderr, /There is no partner NOBODY: titian partner list/);
  assert.equal((await run("transfer list --overdue --state settled")).exitCode, 2);
});

test("a transfer is shown with its money, by its own number and by those of its journals", async () => {
  const sent = await sendSettled();
  const shown = await lines(`transfer show ${sent.referenceNo}`);
  assert.deepEqual(masked(shown, sent), [
    "Transfer <number>",
    "",
    "partner | alpha, as <theirs>",
    "requested via | service 18, X-EXTERNAL-ID <id>",
    "rail | interbank, trace number <trace>",
    "payer | <payer> Siti",
    `beneficiary | ${scenario("success")} Ratna`,
    "beneficiary bank | 014 BCA",
    "state | settled (00): The beneficiary's bank has it",
    "current account | clearing:interbank:IDR",
    "accepted | <time>",
    "resolved | by the rail, within the call",
    "",
    "debited | 12,500.00 IDR",
    "fee | 2,500.00 IDR",
    "sent amount | 10,000.00 IDR",
    "",
    "kind | amount | from | to | time | reference no",
    "submission | 12,500.00 | <payer> | <suspense> | <time> | <number>",
    "settlement | 10,000.00 | <suspense> | clearing:interbank:IDR | <time> | <journal>",
    "fee | 2,500.00 | <suspense> | fee:interbank:IDR | <time> | <journal>",
  ]);
  const [end = ""] = /\b\w{26}$/.exec(shown.at(-1) ?? "") ?? [];
  assert.deepEqual(await lines(`transfer show ${end}`), shown);
});

test("settled is recorded when it is confirmed, and never by itself", async () => {
  const sent = await sendOpen();
  const unasked = await run(`transfer resolve ${sent.referenceNo} settled`);
  assert.equal(unasked.exitCode, 1);
  assert.match(
    unasked.stderr,
    /10000\.00 IDR will be credited to clearing:interbank:IDR.*\[y\/N\] Nothing was recorded/s,
  );
  assert.equal((await run(`transfer resolve ${sent.referenceNo} settled`, "no\n")).exitCode, 1);
  assert.equal(await statusOf(sent), "03");

  const recorded = await run(`transfer resolve ${sent.referenceNo} settled`, "y\n");
  assert.equal(recorded.exitCode, 0, recorded.stderr);
  assert.deepEqual(masked(cellsOf(recorded), sent).slice(-5), [
    "Recorded: it is settled. Postings:",
    "",
    "kind | amount | from | to | time | reference no",
    "settlement | 10,000.00 | <suspense> | clearing:interbank:IDR | <time> | <journal>",
    "fee | 2,500.00 | <suspense> | fee:interbank:IDR | <time> | <journal>",
  ]);
  assert.equal(await balanceOf(sent), "987500.00");
  assert.equal(await statusOf(sent), "00");
  const shown = await lines(`transfer show ${sent.referenceNo}`);
  assert.ok(shown.includes("resolved | by an operator, after a 202 response"), shown.join("\n"));
});

test("rejected gives amount and fee back, once", async () => {
  const sent = await sendOpen();
  const recorded = await lines(`transfer resolve ${sent.referenceNo} rejected --yes`);
  assert.equal(masked(recorded, sent).at(-1), "reversal | 12,500.00 | <suspense> | <payer> | <time> | <journal>");
  assert.equal(await balanceOf(sent), "1000000.00");
  assert.equal(await statusOf(sent), "06");
  const shown = await lines(`transfer show ${sent.referenceNo}`);
  assert.ok(shown.includes("reject reason | rejectedByRail (Do Not Honor)"), shown.join("\n"));

  const again = await lines(`transfer resolve ${sent.referenceNo} rejected --yes`);
  assert.equal(again.at(-1), "It is rejected already: nothing was recorded.");
  assert.equal(await balanceOf(sent), "1000000.00");
});

test("returned credits the sent amount back and keeps the fee", async () => {
  const clearing = { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "1" };
  const sent = await send("transfer-skn", "2002300", "success", clearing);
  await control.call("POST", "rails/skn/settle");
  const recorded = await lines(`transfer resolve ${sent.referenceNo} returned --yes`);
  assert.equal(masked(recorded, sent).at(-1), "return | 10,000.00 | clearing:skn:IDR | <payer> | <time> | <journal>");
  assert.equal(await balanceOf(sent), "997100.00");
  assert.equal(await statusOf(sent, "23"), "04");
  const words = (await lines(`transfer show ${sent.referenceNo}`)).filter((line) => /^(resolved|returned) /.test(line));
  assert.deepEqual(words, ["resolved | by the rail", "returned | by an operator"]);
});

test("the rail's own return is distinguished from an operator's decision on the end before it", async () => {
  const wordsOf = async ({ referenceNo }: Sent) =>
    (await lines(`transfer show ${referenceNo}`)).filter((line) => /^(resolved|returned) /.test(line));
  const ended = await send("transfer-interbank", "2001800", "returnedAfterSettlement");
  await control.call("POST", "rails/interbank/mode", { mode: "limbo" });
  const decided = await send("transfer-interbank", "2021800", "returnedAfterSettlement");
  await run(`transfer resolve ${decided.referenceNo} settled --yes`);
  await control.call("POST", "rails/interbank/mode", { mode: "normal" });
  await control.advance(120);
  assert.deepEqual([await statusOf(ended), await statusOf(decided)], ["04", "04"]);
  assert.deepEqual(await wordsOf(ended), ["resolved | by the rail, within the call", "returned | by the rail"]);
  assert.deepEqual(await wordsOf(decided), [
    "resolved | by an operator, after a 202 response",
    "returned | by the rail",
  ]);
});

test("a payer who closed the account gets it on the account of unapplied funds, and the entry there leads back", async () => {
  const sent = await sendSettled();
  await control.change(sent.payer, { status: "closed" });
  await run(`transfer resolve ${sent.referenceNo} returned --yes`);
  const [, entry = ""] = await lines("account entries unclaimed:IDR");
  assert.match(entry, /^1 \| <time> \| return \| 10,000\.00 \| 10,000\.00 \| \w{26}$/);
  const shown = await lines(`transfer show ${entry.slice(-26)}`);
  assert.equal(shown[0], `Transfer ${sent.referenceNo}`);
  assert.ok(shown.includes("current account | unclaimed:IDR"), shown.join("\n"));
  assert.ok(shown.includes(`payer | ${sent.payer} Siti, closed`), shown.join("\n"));
});

test("an impossible resolution is explained and changes nothing", async () => {
  const open = await sendOpen();
  const settled = await sendSettled();
  const wrong: readonly (readonly [string, number, RegExp])[] = [
    [`resolve ${open.referenceNo} returned --yes`, 1, /cannot become returned: it is pending .*record that first/],
    [
      `resolve ${settled.referenceNo} rejected --yes`,
      1,
      /cannot become rejected: it is settled .*resolve \w+ returned/,
    ],
    [`resolve ${settled.referenceNo} paid`, 2, /Allowed choices are settled, rejected, returned/],
    ["resolve 01JD7K3M9QZ8V2X4B6N8P0R2T4 settled --yes", 1, /No transfer over a rail has the number 01JD7K/],
    ["show ORDER-1", 1, /No transfer over a rail has the number ORDER-1.*intrabank transfer \(17\)/],
    ["list --after 7", 2, /--after 7 is not the number of a transfer/],
    ["list --older-than 5", 2, /--older-than 5 is not a duration/],
    ["list --overdue --older-than 1h", 2, /cannot be used with option/],
    ["list --limit 1O", 2, /--limit 1O is not a number from 1 to 1000/],
    ["list --limit 1001", 2, /--limit 1001 is not a number from 1 to 1000/],
    ["list --limit 0", 2, /--limit 0 is not a number from 1 to 1000/],
  ];
  for (const [line, expected, message] of wrong) {
    const { exitCode, stderr } = await run(`transfer ${line}`);
    assert.equal(exitCode, expected, `${line}: ${stderr}`);
    assert.match(stderr, message);
  }
  assert.deepEqual([await statusOf(open), await statusOf(settled)], ["03", "00"]);
});

test("titian call shows how to ask for the status of a pending transfer", async () => {
  const name = await run(`call 16 -f beneficiaryBankCode=014 -f beneficiaryAccountNo=${scenario("limbo")}`);
  assert.equal(JSON.parse(name.stdout).beneficiaryAccountName, "Yusuf Hidayat");
  const payer = await newPayer();
  const fields = [
    ["beneficiaryBankCode=014", `beneficiaryAccountNo=${scenario("limbo")}`, "beneficiaryAccountName=Yusuf"],
    ["amount.value=10000.00", "amount.currency=IDR", `sourceAccountNo=${payer}`],
  ].flat();
  const called = await run(["call 18", ...fields].join(" -f "));
  assert.equal(called.exitCode, 0, called.stderr);
  assert.equal(JSON.parse(called.stdout).responseCode, "2021800");
  const [, line = ""] = /Accepted, pending\. Its status:\n {2}titian (call 36 .+)\n$/.exec(called.stderr) ?? [];
  const asked = await run(line);
  assert.equal(asked.exitCode, 0, asked.stderr);
  assert.equal(JSON.parse(asked.stdout).latestTransactionStatus, "03");
  const rejected = await run(["call 18", ...fields, `beneficiaryAccountNo=${scenario("rejected")}`].join(" -f "));
  assert.equal(JSON.parse(rejected.stdout).responseCode, "4031805");
  assert.match(rejected.stderr, /rejected it, and the money is back/);
});

test("a payment request is approved beside the service, which carries it: a transfer of service 19", async () => {
  const payer = await newPayer();
  const { now } = await control.call<{ now: string }>("GET", "clock");
  const fields = [
    ["bankCode=014", `beneficiaryAccountNo=${scenario("success")}`, "beneficiaryAccountName=Ratna"],
    [`sourceAccountNo=${payer}`, "sourceAccountName=Siti", "amount.value=10000.00", "amount.currency=IDR"],
    [`expiredDatetime=${formatTimestamp(Date.parse(now) + 3_600_000)}`],
  ].flat();
  const ask = async () => {
    const asked = await run(["call 19", ...fields].join(" -f "));
    assert.equal(asked.exitCode, 0, asked.stderr);
    const [, inquiry = "", approval = ""] =
      /Waiting for the payer\. .*:\n {2}titian (call 36 .+)\n {2}titian (.+)\n$/.exec(asked.stderr) ?? [];
    const { referenceNo, partnerReferenceNo } = JSON.parse(asked.stdout) as Pick<
      Sent,
      "referenceNo" | "partnerReferenceNo"
    >;
    return { referenceNo, partnerReferenceNo, inquiry, approval };
  };
  const paid = await ask();
  const unanswered = await ask();
  const statusNow = async () => JSON.parse((await run(paid.inquiry)).stdout).latestTransactionStatus;
  assert.equal(await statusNow(), "01");
  assert.equal((await lines(`payment-request list --account ${payer}`)).length, 3);
  assert.equal((await run(`${paid.approval} --yes`)).exitCode, 0);
  // The next inquiry at the rail is due, which submits what the rail does not have.
  await control.advance(15);
  await eventually(async () => (await statusNow()) === "00");

  const shown = await lines(`transfer show ${paid.referenceNo}`);
  assert.match(shown[3] ?? "", /^requested via \| service 19, X-EXTERNAL-ID /);
  assert.ok(shown.includes("state | settled (00): The beneficiary's bank has it"), shown.join("\n"));
  assert.deepEqual(await lines(`transfer show ${paid.partnerReferenceNo} --partner alpha`), shown);
  const [request] = await lines(`transfer show ${unanswered.partnerReferenceNo} --partner alpha`);
  assert.equal(request, `Payment request ${unanswered.referenceNo}`);

  await control.advance(3_600);
  const late = await run(`${unanswered.approval} --yes`);
  assert.equal(late.exitCode, 1);
  assert.match(late.stderr, new RegExp(`cannot be approved: it expired at ${now.slice(0, 10)}T`));
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
