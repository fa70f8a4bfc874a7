/** `titian bulk list` and `show`, and items of bulks in `titian transfer`, on a database, with no service running. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { masterKeys, startNode } from "../support/administration.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { cellsOf } from "../support/cli/cli-fixture.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";

const database = await useDatabase();
after(() => database.drop());
const node = await startNode(database.url);
const { partnerId, ended, open, waiting, failed, items } = await sendBulks(node);
await node.close();
const numberOf = (item: string) => items.get(item) ?? assert.fail(item);

const run = (line: string) => {
  const TITIAN_MASTER_KEY = masterKeys.current.toString("base64");
  return runCli(line.split(" "), { env: { DATABASE_URL: database.url, TITIAN_MASTER_KEY, TITIAN_SANDBOX: "0" } });
};
const lines = async (line: string): Promise<readonly string[]> => {
  const ran = await run(line);
  assert.equal(ran.exitCode, 0, `${line}: ${ran.stderr}`);
  return cellsOf(ran).map((text) => text.replaceAll(partnerId, "<partner>"));
};
const bar = (share: number) => "#".repeat(share).padEnd(40, ".");

test("a bulk is shown with its sums and its items by state; those that are not settled are listed", async () => {
  const shown = await lines(`bulk show ${ended}`);
  assert.deepEqual(shown, [
    `Bulk ${ended}`,
    "",
    "partner | <partner>, as ENDED",
    "requested via | service 20, X-EXTERNAL-ID X-ENDED",
    "customer reference | ENDED",
    "payer | 5001 Siti",
    "state | ended (00): Settled 2 of 4",
    "accepted | <time>",
    "ended | <time>",
    "notification | 21 with status 00, <time>",
    "items | 4",
    "fee type | OUR",
    "",
    "amount | 100.00 IDR",
    "fees | 10,000.00 IDR",
    "debited | 10,100.00 IDR",
    "",
    "state | items | sent amount | fees | share",
    `settled | 2 | 50.00 | 5,000.00 | ${bar(20)}`,
    `rejected | 1 | 20.00 | 2,500.00 | ${bar(10)}`,
    `returned | 1 | 30.00 | 2,500.00 | ${bar(10)}`,
    "",
    "position | partner's number | transfer | bank | beneficiary | amount | state | reject reason, next inquiry",
    `1 | ENDED-1 | ${numberOf("ENDED-1")} | 014 | 8800000011 Ratna | 20.00 | rejected | unknownBeneficiary (Invalid Card/Account/Customer/Virtual Account [Unknown beneficiary account])`,
    `2 | ENDED-2 | ${numberOf("ENDED-2")} | 014 | 8800000004 Ratna | 30.00 | returned`,
  ]);
  const page = await run(`bulk show ENDED-3 --partner ${partnerId} --state all --items 2`);
  assert.match(page.stderr, new RegExp(`More: titian bulk show ${ended} --state all --items 2 --after 1\n$`));
  const next = await lines(`bulk show ${ended} --state all --items 2 --after 1`);
  assert.deepEqual(next.slice(0, -2), shown.slice(0, -2));
  assert.deepEqual(
    next.slice(-2).map((line) => line.split(" | ")[1]),
    ["ENDED-2", "ENDED-3"],
  );
});

test("a rejected bulk is shown with its reason", async () => {
  assert.deepEqual(await lines(`bulk show REJECTED --partner ${partnerId}`), [
    "REJECTED was rejected; no money moved. A new request with the same number may succeed.",
    " | service 20, <time>: amountTooSmall (Invalid Amount bulkObject[0].amount.value [Zero amount])",
  ]);
});

test("items that wait for their turn are counted, and listed only when they are asked for", async () => {
  const shown = await lines(`bulk show ${waiting}`);
  assert.equal(shown[2], "partner | <partner>, without a number");
  assert.deepEqual(shown.slice(-2), [
    "state | items | sent amount | fees | share | not submitted yet",
    `queued | 2 | 18.00 | 5,000.00 | ${bar(40)} | 2 wait for their turn`,
  ]);
  const {
    states,
    items: listed,
    notification,
    next,
    ...bulk
  } = JSON.parse((await run(`bulk show ${open} --json --items 1`)).stdout);
  assert.deepEqual([bulk.bulkId, bulk.debited, bulk.status, bulk.open], [open, "24000.00", "03", 1]);
  assert.deepEqual(
    [states.length, listed.length, listed[0].amount, notification, next],
    [3, 1, "7000.00", undefined, 1],
  );
});

test("the rails are listed with the sum of all that is in suspense, also as JSON", async () => {
  const listed = await lines("rails list");
  assert.deepEqual(listed[0], "rail | now | pending | in suspense | currency");
  assert.deepEqual(listed[1], "interbank | open | 1 | 13,018.00 | IDR");
  const { rails } = JSON.parse((await run("rails list --json")).stdout);
  const { rail, isOpen, pending, suspense, currency } = rails[0];
  assert.deepEqual([rail, isOpen, pending, suspense, currency], ["interbank", true, 1, "13018.00", "IDR"]);
});

test("bulks are listed newest first, in pages, also as JSON", async () => {
  const listed = await lines(`bulk list --partner ${partnerId}`);
  assert.deepEqual(listed, [
    "bulk | partner | partner's number | payer | items | amount | currency | settled | rejected | returned | open | accepted | ended",
    `${waiting} | <partner> | 5001 | 2 | 18.00 | IDR | 0 | 0 | 0 | 2 | <time>`,
    `${open} | <partner> | OPEN | 5001 | 3 | 21,000.00 | IDR | 1 | 1 | 0 | 1 | <time>`,
    `${failed} | <partner> | FAILED | 5001 | 1 | 5,000.00 | IDR | 0 | 1 | 0 | 0 | <time> | <time>`,
    `${ended} | <partner> | ENDED | 5001 | 4 | 100.00 | IDR | 2 | 1 | 1 | 0 | <time> | <time>`,
  ]);
  const page = await run(`bulk list --open --limit 1`);
  assert.match(page.stderr, new RegExp(`More: titian bulk list --open --after ${waiting}\n$`));
  const { bulks, next } = JSON.parse((await run(`bulk list --open --json --after ${waiting}`)).stdout);
  assert.deepEqual([bulks.map((bulk: { bulkId: string }) => bulk.bulkId), next], [[open], null]);
});

test("a transfer that is an item names its bulk; the list of pending transfers leaves items to their bulks", async () => {
  const shown = await lines(`transfer show WAITING-1 --partner ${partnerId}`);
  assert.ok(shown.includes(`bulk | ${waiting}, at position 1`), shown.join("\n"));
  assert.ok(shown.includes("next inquiry | waits for its turn in its bulk"), shown.join("\n"));
  assert.equal(shown.at(-1), `submission of the bulk | 5,018.00 | 5001 | ${suspenseNoOf()} | <time> | ${waiting}`);
  const pending = await run("transfer list");
  assert.equal(cellsOf(pending).length, 1);
  assert.match(pending.stderr, /\nOpen items of bulk transfers: 3, .*titian bulk list --open, or --items\n$/);
  const [header = "", first = ""] = await lines("transfer list --items --limit 1");
  assert.match(header, /next inquiry \| bulk$/);
  assert.match(first, new RegExp(`^${numberOf("OPEN-1")} .* \\| ${open}$`));
});

const wrong: readonly (readonly [string, number, RegExp])[] = [
  ["bulk show 01JD7K3M9QZ8V2X4B6N8P0R2T4", 1, /No bulk transfer has the number 01JD7K.*--partner/],
  [`bulk show NONE --partner ${partnerId}`, 1, /No bulk transfer of \S+ has the partnerBulkId/],
  ["bulk show NONE --partner nobody", 1, /no partner nobody: titian partner list/],
  ["bulk list --partner nobody", 1, /no partner nobody: titian partner list/],
  ["bulk list --after 7", 2, /--after 7 is not the number of a bulk transfer/],
  [`bulk show ${ended} --after 10000`, 2, /--after 10000 is not a position from 0 to 9999/],
  [`bulk show ${ended} --items 0`, 2, /--items 0 is not a number from 1 to 1000/],
  [`bulk show ${ended} --state ended`, 2, /Allowed choices are unsettled, all, open, queued/],
  [`transfer show ${failed}`, 1, new RegExp(`${failed} is a bulk transfer.*titian bulk show ${failed}\n`)],
  [`transfer show X-FAILED --partner ${partnerId}`, 1, new RegExp(`X-FAILED is a bulk.*titian bulk show ${failed}\n`)],
  [`transfer resolve ${failed} settled --yes`, 1, new RegExp(`titian bulk show ${failed}\n`)],
];
for (const [line, expected, message] of wrong) {
  const name = line.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, "<number>").replaceAll(partnerId, "<partner>");
  test(`titian ${name}: is rejected with the reason`, async () => {
    const { exitCode, stderr, stdout } = await run(line);
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}
