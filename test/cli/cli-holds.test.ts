/** `titian hold` and `titian account entries` on a database, with no service running. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createExpireHolds } from "../../packages/server/src/jobs/expire-holds.ts";
import { masterKeys, startNode, type TestNode } from "../support/administration.ts";
import { type TestDatabase, useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { holdCalls, type HoldCalls, idr, type Named, openMerchant } from "../support/hold-calls.ts";
import { type CliRun, runCli } from "../support/cli/run-cli.ts";
import { mayGoOn } from "../support/run-job.ts";

let database: TestDatabase;
let node: TestNode;
let calls: HoldCalls;
let partnerId: string;

before(async () => {
  database = await useDatabase();
  node = await startNode(database.url);
  const partner = await openMerchant(node);
  calls = holdCalls(node, partner);
  ({ partnerId } = partner);
});

after(async () => {
  await node.close();
  await database.drop();
});

const env = () => ({
  DATABASE_URL: database.url,
  TITIAN_MASTER_KEY: masterKeys.current.toString("base64"),
  TITIAN_SANDBOX: "0",
});
const run = (line: string): Promise<CliRun> => runCli(line.split(" "), { env: env() });

/** Output of a command that must be carried out, as lines of cells without the table's rule. */
async function lines(line: string): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await run(line);
  assert.equal(exitCode, 0, `titian ${line}: ${stderr}`);
  const rows = stdout
    .trimEnd()
    .split("\n")
    .filter((text) => !text.startsWith("---"));
  return rows.map((text) => text.replaceAll(/ {2,}/g, " | "));
}

/** Cells that differ from run to run. */
const masked = (cells: readonly string[], ...numbers: readonly string[]) =>
  cells.map((cell) =>
    numbers
      .reduce((text, number, index) => text.replaceAll(number, `#${index + 1}`), cell)
      .replaceAll(/20\d\d-\d\d-\d\dT[\d:]+\+07:00/g, "<time>"),
  );

function numberIn(reply: Reply, field: string): string {
  assert.equal(reply.case, "success", JSON.stringify(reply));
  const number = reply.fields?.[field];
  assert.ok(typeof number === "string");
  return number;
}

const voidPart = (hold: Named, value: string) =>
  calls.send("authVoid", { ...hold, partnerVoidNo: randomUUID(), voidAmount: idr(value) });
const refundPart = (hold: Named, value: string) =>
  calls.send("authRefund", { ...hold, partnerRefundNo: randomUUID(), refundAmount: idr(value) });

test("a hold is shown with its money and all that happened to it, by its own number and by any of theirs", async () => {
  const hold = await calls.place("100.00");
  const first = numberIn(await calls.capture(hold, "30.00"), "captureNo");
  const released = numberIn(await voidPart(hold, "5.00"), "voidNo");
  const last = numberIn(await calls.capture(hold, "45.00", { lastCapture: "true" }), "captureNo");
  const refund = numberIn(await refundPart(hold, "40.00"), "refundNo");
  const { originalReferenceNo, originalPartnerReferenceNo } = hold;

  const shown = await lines(`hold show ${originalReferenceNo}`);
  const numbers = [originalReferenceNo, first, released, last, refund, originalPartnerReferenceNo, partnerId];
  assert.deepEqual(masked(shown, ...numbers), [
    "Hold #1",
    "",
    "partner | #7, as #6",
    "merchant | SHOP",
    "payer | 2001 Siti",
    "settlement account | 2002 Siti",
    "state | captured (00): Nothing is held any more, and something was captured",
    "placed | <time>",
    "",
    "held | 100.00 IDR",
    "captured | 75.00 IDR",
    "voided | 25.00 IDR",
    "expired | 0.00 IDR",
    "remaining | 0.00 IDR",
    "refunded | 40.00 IDR",
    "",
    "sequence | event | amount | time | reference no | to account | of capture",
    "6 | refund | 10.00 | <time> | #5 | 2001 | #4",
    "5 | refund | 30.00 | <time> | #5 | 2001 | #2",
    "4 | void (last capture) | 20.00 | <time> | #4",
    "3 | capture | 45.00 | <time> | #4 | 2002",
    "2 | void | 5.00 | <time> | #3",
    "1 | capture | 30.00 | <time> | #2 | 2002",
  ]);
  for (const number of [first, released, last, refund]) assert.deepEqual(await lines(`hold show ${number}`), shown);
});

test("the lines of a hold come in pages", async () => {
  const hold = await calls.place("10.00");
  for (const value of ["1.00", "2.00", "3.00"]) numberIn(await calls.capture(hold, value), "captureNo");
  const newest = await run(`hold show ${hold.originalReferenceNo} --limit 2`);
  assert.match(newest.stdout, /\n3 +capture +3\.00 .*\n2 +capture +2\.00 .*\n$/);
  assert.match(newest.stderr, new RegExp(`More: titian hold show ${hold.originalReferenceNo} --before 2\n$`));
  const oldest = await run(`hold show ${hold.originalReferenceNo} --limit 2 --before 2`);
  assert.match(oldest.stdout, /-\n1 +capture +1\.00 .*\n$/);
  assert.doesNotMatch(oldest.stderr, /More/);
});

test("open holds are listed of an account and of a merchant, newest first, closed ones left out", async () => {
  const older = await calls.place("20.00");
  const closed = await calls.place("21.00");
  numberIn(await calls.capture(closed, "21.00"), "captureNo");
  const newer = await calls.place("22.00");
  numberIn(await calls.capture(newer, "2.00"), "captureNo");
  const [ofNewer, ofOlder] = [
    "# | SHOP | 2001 | 22.00 | 2.00 | 20.00 | IDR | partlyCaptured | <time>",
    "# | SHOP | 2001 | 20.00 | 0.00 | 20.00 | IDR | open | <time>",
  ];

  for (const whose of ["--account 2001", `--merchant SHOP --partner ${partnerId}`]) {
    const [header, first, second] = await lines(`hold list ${whose}`);
    assert.equal(header, "hold | merchant | payer | held | captured | remaining | currency | state | expires");
    assert.equal(masked([first ?? ""], newer.originalReferenceNo)[0], ofNewer.replace("#", "#1"));
    assert.equal(masked([second ?? ""], older.originalReferenceNo)[0], ofOlder.replace("#", "#1"));

    const page = await run(`hold list ${whose} --limit 1`);
    assert.match(page.stderr, new RegExp(`More: titian hold list ${whose} --before ${newer.originalReferenceNo}\n$`));
    const [, next] = await lines(`hold list ${whose} --limit 1 --before ${newer.originalReferenceNo}`);
    assert.equal(next, second);
  }
});

test("an account that pays for nothing has no open holds", async () => {
  const { stdout, stderr } = await run("hold list --account 2002");
  assert.equal(stdout.split("\n").length, 3, stdout);
  assert.doesNotMatch(stderr, /More/);
});

test("a hold that expired is shown with the line of its expiry", async () => {
  const hold = await calls.place("8.00");
  numberIn(await calls.capture(hold, "3.00"), "captureNo");
  node.clock.setOffset(8 * 86_400_000);
  await createExpireHolds(node).run(mayGoOn);
  const shown = await lines(`hold show ${hold.originalReferenceNo}`);
  assert.ok(
    shown.includes("state | lapsed (00): It expired with captures made and a remainder left"),
    shown.join("\n"),
  );
  assert.match(shown.find((line) => line.startsWith("expired | 2")) ?? "", /^expired \| 20\d\d-/);
  assert.ok(shown.includes("expired | 5.00 IDR"));
  assert.match(shown.find((line) => line.startsWith("2 |")) ?? "", /^2 \| expiry \| 5\.00 \| 20\d\d[^|]+$/);
});

test("money that could not be returned is seen on the hold, and on the account it went to", async () => {
  const hold = await calls.place("6.00");
  const captureNo = numberIn(await calls.capture(hold, "6.00"), "captureNo");
  valueOf(await changeAccount(node, "2001", { status: "closed", closesWithMoney: true }));
  const refundNo = numberIn(await refundPart(hold, "4.00"), "refundNo");

  const shown = masked(await lines(`hold show ${refundNo}`), captureNo, refundNo);
  assert.ok(shown.includes("payer | 2001 Siti, closed"), shown.join("\n"));
  assert.ok(shown.includes("2 | refund | 4.00 | <time> | #2 | unclaimed:IDR | #1"), shown.join("\n"));
  const entries = masked(await lines("account entries unclaimed:IDR"), refundNo);
  assert.deepEqual(entries.slice(1), ["1 | <time> | refund | 4.00 | 4.00 | #1"]);
  const paged = await run("account entries 2002 --limit 1");
  assert.match(paged.stdout, new RegExp(`\n\\d+ +20\\S+ +refund +4\\.00 +[\\d,]+\\.00 +${refundNo}\n$`));
  assert.match(paged.stderr, /More: titian account entries 2002 --before \d+\n$/);
});

const wrong: readonly (readonly [string, number, RegExp])[] = [
  [
    "hold show 01JD7K3M9QZ8V2X4B6N8P0R2T4",
    1,
    /No hold, and no accepted capture, void or refund, has the number 01JD7K/,
  ],
  ["hold show ORDER-1", 1, /No hold, .* has the number ORDER-1\./],
  ["hold list", 2, /Give --account <number>, or --merchant <id> with --partner <id>/],
  ["hold list --merchant SHOP", 2, /Give --account/],
  ["hold list --account 2001 --merchant SHOP --partner P", 2, /Give --account/],
  ["hold list --account 404", 1, /no account 404: titian account list/],
  ["hold list --merchant SHOP --partner NOBODY", 1, /no partner NOBODY: titian partner list/],
  ["hold list --account 2001 --before 7", 2, /--before 7 is not the number of a hold/],
  ["account entries 404", 1, /no account 404.*unclaimed:IDR/],
  ["account entries 2001 --before x", 2, /--before x is not a version/],
];
for (const [line, expected, message] of wrong) {
  test(`titian ${line}: is rejected with the reason`, async () => {
    const { exitCode, stderr, stdout } = await run(line);
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}
