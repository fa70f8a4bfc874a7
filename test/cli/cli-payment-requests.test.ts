/** `titian payment-request` on a database, with no service running. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { formatTimestamp, operations } from "@titian/contract";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleRequestForPayment } from "../../packages/server/src/operations/transfers/request-for-payment.ts";
import { callOf, masterKeys, startNode, type TestNode, writeDepsOf } from "../support/administration.ts";
import { type CliRun, runCli } from "../support/cli/run-cli.ts";
import { cellsOf } from "../support/cli/cli-fixture.ts";
import { type TestDatabase, useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { idr } from "../support/hold-calls.ts";
import { newPartner } from "../support/partners.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";

let database: TestDatabase;
let node: TestNode;
let partner: PartnerCredentials;

before(async () => {
  database = await useDatabase();
  node = await startNode(database.url);
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  for (const [accountNo, name, balance] of [
    ["3001", "Siti", 100_000_000n],
    ["3002", "Budi", 0n],
    ["3003", "Poor", 500n],
    ["3004", "Dormant", 500n],
  ] as const) {
    const account = { accountNo, name, currency: "IDR", type: "S", balance: minor(balance), partners: [] } as const;
    valueOf(await openAccount(node, account));
  }
});

after(async () => {
  await node.close();
  await database.drop();
});

const run = (line: string, input?: string): Promise<CliRun> => {
  const env = {
    DATABASE_URL: database.url,
    TITIAN_MASTER_KEY: masterKeys.current.toString("base64"),
    TITIAN_SANDBOX: "0",
  };
  const args = ["payment-request", ...line.split(" ")];
  return runCli(args, { env, ...(input !== undefined && { input }) });
};

/** Output of a command that must succeed, with the numbers of the request masked. */
async function lines(line: string, ...numbers: readonly string[]): Promise<readonly string[]> {
  const ran = await run(line);
  assert.equal(ran.exitCode, 0, `${line}: ${ran.stderr}`);
  return masked(ran, ...numbers);
}

const masked = (ran: CliRun, ...numbers: readonly string[]) =>
  cellsOf(ran).map((cell) =>
    [...numbers, partner.partnerId]
      .reduce((text, number, index) => text.replaceAll(number, `#${index + 1}`), cell)
      .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "<journal>"),
  );

interface Asked {
  readonly referenceNo: string;
  readonly numbers: readonly [string, string, string];
}

/** A payment request that must be accepted: of 10,000.00 to the account 3002 within the bank. */
async function ask(more: object = {}): Promise<Asked> {
  const [partnerReferenceNo, externalId] = [randomUUID(), randomUUID()];
  const request = {
    partnerReferenceNo,
    bankCode: "999",
    beneficiaryAccountNo: "3002",
    beneficiaryAccountName: "Budi",
    expiredDatetime: formatTimestamp(node.clock.now() + 3_600_000),
    sourceAccountNo: "3001",
    sourceAccountName: "Siti",
    amount: idr("10000.00"),
    ...more,
  };
  const call = callOf(node, partner, { operation: operations.requestForPayment, request, externalId });
  const { fields } = await handleRequestForPayment(writeDepsOf(node))(call);
  const referenceNo = fields?.["referenceNo"];
  assert.ok(typeof referenceNo === "string", JSON.stringify(fields));
  return { referenceNo, numbers: [referenceNo, partnerReferenceNo, externalId] };
}

const toOtherBank = { bankCode: "014", beneficiaryAccountNo: "7001001001", beneficiaryAccountName: "Ratna" };
const stateOf = async ({ referenceNo }: Asked) =>
  (await lines(`show ${referenceNo}`)).find((line) => line.startsWith("state"))?.split(" ")[2];

test("a request within the bank is shown, approved once it is confirmed, and shown as paid", async () => {
  const { referenceNo, numbers } = await ask({ remark: "Invoice 17" });
  const waiting = [
    "Payment request #1",
    "",
    "partner | #4, as #2",
    "requested via | service 19, X-EXTERNAL-ID #3",
    "payer | 3001 Siti",
    "beneficiary | 3002 Budi",
    "beneficiary bank | 999 this bank",
    "remark | Invoice 17",
    "state | waiting (01): Waiting for the payer's answer",
    "accepted | <time>",
    "expires | <time>",
    "",
    "requested amount | 10,000.00 IDR",
  ];
  assert.deepEqual(await lines(`show ${referenceNo}`, ...numbers), waiting);

  for (const answer of ["", "no\n"]) {
    const unconfirmed = await run(`approve ${referenceNo}`, answer);
    assert.equal(unconfirmed.exitCode, 1);
    assert.deepEqual(masked(unconfirmed, ...numbers), waiting);
    assert.match(
      unconfirmed.stderr,
      /\n3001 Siti pays 10000\.00 IDR to 3002 Budi, as \S+ requested\.\nThis is final\. Record it\? \[y\/N\] Nothing was recorded/,
    );
  }
  const approved = await run(`approve ${referenceNo}`, "y\n");
  assert.equal(approved.exitCode, 0, approved.stderr);
  const posting = "transfer | 10,000.00 | 3001 | 3002 | <time> | <journal>";
  assert.deepEqual(masked(approved, ...numbers).slice(-4), [
    "Recorded: it is approved. Postings:",
    "",
    "kind | amount | from | to | time | reference no",
    posting,
  ]);
  const paid = await lines(`show ${referenceNo}`, ...numbers);
  assert.deepEqual(paid.slice(8), [
    "state | approved (00): Approved by the payer; over a rail, the status is that of its transfer",
    "accepted | <time>",
    "expires | <time>",
    "answered | <time>, by an operator",
    "paid by | intrabank transfer, journal <journal>",
    "current account | 3002",
    "",
    "requested amount | 10,000.00 IDR",
    "approved amount | 10,000.00 IDR",
    "",
    "kind | amount | from | to | time | reference no",
    posting,
  ]);
  const [journal = ""] = /\w{26}$/.exec(approved.stdout.trimEnd()) ?? [];
  assert.deepEqual(await lines(`show ${journal}`, ...numbers), paid);

  const again = await run(`approve ${referenceNo} --amount 10000`);
  assert.equal(again.exitCode, 0, again.stderr);
  assert.match(again.stdout, /It is approved already: nothing was recorded\.\n$/);
  const declined = await run(`decline ${referenceNo} --yes`);
  assert.equal(declined.exitCode, 1);
  assert.match(declined.stderr, /cannot be declined: it was approved by an operator at 20\S+\. An answer is final/);
});

test("an open amount is named by the approval; over a rail the payer is debited and the transfer waits for a node", async () => {
  const asked = await ask({ ...toOtherBank, amount: undefined });
  const { referenceNo, numbers } = asked;
  const unnamed = await run(`approve ${referenceNo} --yes`);
  assert.equal(unnamed.exitCode, 2);
  assert.match(unnamed.stderr, /Its amount is open: give it in IDR, --amount 10000\.00/);
  assert.equal((await run(`approve ${referenceNo} --amount 1,5 --yes`)).exitCode, 2);
  const tooMuch = await run(`approve ${referenceNo} --amount 250000001 --yes`);
  assert.match(
    tooMuch.stderr,
    /still waiting: Exceeds Transaction Amount Limit \[Rail limit\] \(4031902\)\. .*rails check/,
  );
  assert.equal(await stateOf(asked), "waiting");

  const approved = await run(`approve ${referenceNo} --amount 20000`, "y\n");
  assert.equal(approved.exitCode, 0, approved.stderr);
  assert.match(
    approved.stderr,
    /3001 Siti pays 20000\.00 IDR to 7001001001 Ratna, bank 014 BCA, as \S+ requested\. Over the interbank rail: 22500\.00 IDR debited, of which 20000\.00 IDR is sent and 2500\.00 IDR is the fee\.\n/,
  );
  assert.match(approved.stdout, /in about 10 s: titian transfer show \w{26}\n$/);
  const shown = await lines(`show ${referenceNo}`, ...numbers);
  assert.deepEqual(shown.slice(11), [
    "paid by | transfer #1 over interbank: submitted, Handed to the rail, which has not answered yet",
    `current account | ${suspenseNoOf()}`,
    "",
    "requested amount | open IDR",
    "approved amount | 20,000.00 IDR",
    "fee | 2,500.00 IDR",
    "sent amount | 20,000.00 IDR",
    "",
    "kind | amount | from | to | time | reference no",
    `submission | 22,500.00 | 3001 | ${suspenseNoOf()} | <time> | <journal>`,
  ]);
});

test("a decline is confirmed and final, and repeating it changes nothing", async () => {
  const { referenceNo } = await ask();
  const asked = await run(`decline ${referenceNo}`);
  assert.match(asked.stderr, /3001 Siti declines to pay 10000\.00 IDR to 3002 Budi, as \S+ requested\.\nThis is final/);
  const declined = await run(`decline ${referenceNo} --yes`);
  assert.equal(declined.exitCode, 0, declined.stderr);
  assert.match(declined.stdout, /\nRecorded: it is declined\.\n$/);
  const again = await run(`decline ${referenceNo}`);
  assert.deepEqual([again.exitCode, /It is declined already/.test(again.stdout)], [0, true]);
  const late = await run(`approve ${referenceNo} --yes`);
  assert.equal(late.exitCode, 1);
  assert.match(late.stderr, /cannot be approved: it was declined by an operator at 20/);
});

test("a rejected approval says why, and leaves the request waiting", async () => {
  const poor = await ask({ sourceAccountNo: "3003" });
  const dormant = await ask({ sourceAccountNo: "3004" });
  valueOf(await changeAccount(node, "3004", { status: "dormant" }));
  const rejected: readonly (readonly [Asked, RegExp])[] = [
    [poor, /still waiting: Insufficient Funds \(4031914\)\. The payer's account has less/],
    [dormant, /still waiting: Dormant Account \[Source account\] \(4031909\)\. The account is dormant/],
  ];
  for (const [asked, message] of rejected) {
    const { exitCode, stderr } = await run(`approve ${asked.referenceNo} --yes`);
    assert.equal(exitCode, 1);
    assert.match(stderr, message);
    assert.equal(await stateOf(asked), "waiting");
  }
  const fixed = await run(`approve ${poor.referenceNo} --amount 4.00 --yes`);
  assert.equal(fixed.exitCode, 2);
  assert.match(fixed.stderr, /Its amount is fixed: 10000\.00 IDR\. Leave --amount out/);
});

test("the waiting requests of a payer are listed newest first, in pages; with --all in every state, also as JSON", async () => {
  const payer = "3005";
  const account = { accountNo: payer, name: "Tono", currency: "IDR", type: "S", partners: [] } as const;
  valueOf(await openAccount(node, { ...account, balance: minor(0n) }));
  const from = { sourceAccountNo: payer };
  // The commands' clock is real.
  node.clock.setOffset(-7_200_000);
  const expired = await ask(from);
  node.clock.setOffset(0);
  const older = await ask(from);
  const declined = await ask(from);
  assert.equal((await run(`decline ${declined.referenceNo} --yes`)).exitCode, 0);
  const newer = await ask({ ...from, ...toOtherBank, amount: undefined });

  const listed = await lines(`list --account ${payer}`, newer.referenceNo, older.referenceNo);
  assert.equal(listed.length, 3);
  assert.match(listed[0] ?? "", /^request \| partner \| partner's number \| beneficiary \| bank \| amount \| currency/);
  assert.match(listed[1] ?? "", /^#1 \| #3 \| \S+ \| 7001001001 \| 014 \| open \| IDR \| waiting \| <time> \| <time>$/);
  assert.match(listed[2] ?? "", /^#2 \| #3 \| \S+ \| 3002 \| 999 \| 10,000\.00 \| IDR \| waiting \| <time> \| <time>$/);
  const page = await run(`list --account ${payer} --all --limit 2`);
  assert.match(page.stderr, new RegExp(`More: titian payment-request list --account ${payer} --all --after \\w+\n$`));
  const json = await run(`list --account ${payer} --all --json`);
  const { paymentRequests, next } = JSON.parse(json.stdout);
  assert.equal(next, null);
  const rows: readonly Record<string, unknown>[] = paymentRequests;
  assert.deepEqual(
    rows.map(({ referenceNo, state, amount }) => [referenceNo, state, amount]),
    [
      [newer.referenceNo, "waiting", undefined],
      [declined.referenceNo, "declined", "10000.00"],
      [older.referenceNo, "waiting", "10000.00"],
      [expired.referenceNo, "expired", "10000.00"],
    ],
  );
  const late = await run(`approve ${expired.referenceNo} --yes`);
  assert.equal(late.exitCode, 1);
  assert.match(late.stderr, /cannot be approved: it expired at 20\S+ without an answer\. The partner can request/);
  const rest = await lines(`list --account ${payer} --all --after ${declined.referenceNo}`);
  assert.equal(rest.length, 3);
});

const wrong: readonly (readonly [string, number, RegExp])[] = [
  ["show 01JD7K3M9QZ8V2X4B6N8P0R2T4", 1, /No payment request has the number 01JD7K.*--partner/],
  ["approve RFP-1 --yes", 1, /No payment request has the number RFP-1/],
  ["decline RFP-1 --yes", 1, /No payment request has the number RFP-1/],
  ["list", 2, /required option '--account <number>' not specified/],
  ["list --account 404", 1, /no account 404: titian account list/],
  ["list --account 3001 --after 7", 2, /--after 7 is not the number of a payment request/],
  ["list --account 3001 --limit 0", 2, /--limit 0 is not a number/],
];
for (const [line, expected, message] of wrong) {
  test(`titian payment-request ${line}: is rejected with the reason`, async () => {
    const { exitCode, stderr, stdout } = await run(line);
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}

test("payers with the most open requests are listed first, each with the partners that they are from", async () => {
  const terms = { name: "Asked", currency: "IDR", type: "S", partners: [], balance: minor(0n) } as const;
  valueOf(await openAccount(node, { ...terms, accountNo: "3105" }));
  for (let count = 0; count < 6; count += 1) await ask({ sourceAccountNo: "3105" });
  const [head, row] = await lines("payers");
  assert.equal(head, "payer | open | partner | of this partner | first accepted | last expires");
  assert.match(row ?? "", /^3105 \| 6 \| \S+ \| 6 \| <time> \| <time>$/);
  const [first] = JSON.parse((await run("payers --json --limit 1")).stdout).payers;
  assert.deepEqual([first.payerAccountNo, first.count, first.ofPayer], ["3105", 6, 6]);
});
