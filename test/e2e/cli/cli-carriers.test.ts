/** A command prints the same whether the running sandbox, what `TITIAN_URL` names, or its own process makes its calls. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCliFixture } from "../../support/cli/cli-fixture.ts";
import { runCli } from "../../support/cli/run-cli.ts";

const fixture = await startCliFixture();
after(() => fixture[Symbol.asyncDispose]());
const { dataDir, file, send } = fixture;
const TITIAN_DATA_DIR = dataDir;
const ofUrl = { TITIAN_URL: `${file.baseUrl}/sandbox/`, TITIAN_TOKEN: file.controlToken };

const carriers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sandbox: { TITIAN_DATA_DIR },
  url: { ...ofUrl, TITIAN_DATA_DIR: "/nowhere" },
  process: {
    TITIAN_DATA_DIR,
    TITIAN_SANDBOX: "1",
    DATABASE_URL: file.databaseUrl,
    TITIAN_ADMIN_DATABASE_URL: file.administrationUrl,
  },
};

async function runBy(line: string): Promise<readonly string[]> {
  const printed: string[] = [];
  for (const env of Object.values(carriers)) {
    const { exitCode, stdout, stderr } = await runCli(line.split(" "), { env });
    // Behind where the calls are made.
    printed.push([exitCode, stdout, ...stderr.split("\n").slice(1)].join("\n"));
  }
  return printed;
}

// Settled: of a pending one the next inquiry would change meanwhile.
const settled = await send("transfer-interbank", "2001800", "success");
const within = await send("transfer-intrabank", "2001700", "success", {
  beneficiaryAccountNo: await fixture.newPayer(),
});

const lines = [
  "account list --limit 3",
  `account entries ${settled.payer} --limit 1`,
  "account entries none",
  "account open --name X --partner nobody",
  "account open --name X --balance 1.234",
  `hold list --account ${settled.payer}`,
  "hold show 01JD7K3M9QZ8V2X4B6N8P0R2T4",
  "transfer list --limit 1",
  "transfer list --limit 1001",
  `transfer show ${settled.referenceNo}`,
  `transfer show ${settled.externalId} --partner alpha`,
  `transfer show ${within.partnerReferenceNo} --partner alpha`,
  "transfer show none --partner nobody",
  `transfer resolve ${settled.referenceNo} rejected --yes`,
  "bulk list --json",
  "bulk list --partner nobody",
  "bulk show none",
  `payment-request list --account ${settled.payer} --json`,
  "payment-request payers --json",
  "notification list --partner nobody",
  "notification list --json",
  "partner list",
  "merchant list --partner alpha",
  "rails list",
];
for (const line of lines) {
  const name = line.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}|\b[0-9a-f-]{32,36}\b|\b\d{12}\b/g, "<number>");
  test(`titian ${name}`, async () => {
    const [first, ...others] = await runBy(line);
    assert.ok(first !== undefined && !/bug in Titian/.test(first), first);
    for (const other of others) assert.equal(other, first);
  });
}

test("what an operator decides of a transfer is recorded by each carrier", async () => {
  for (const env of Object.values(carriers)) {
    const { referenceNo } = await send("transfer-interbank", "2021800", "limbo");
    const ran = await runCli(["transfer", "resolve", referenceNo, "settled", "--yes"], { env });
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stdout, /\nRecorded: it is settled\. Postings:\n\n/);
  }
});

test("a token that is not accepted, an address without one, and nothing at it are told", async () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, number, RegExp])[] = [
    [{ ...ofUrl, TITIAN_TOKEN: "wrong" }, 1, /does not accept the token of TITIAN_TOKEN/],
    [{ TITIAN_URL: ofUrl.TITIAN_URL }, 2, /Nobody has logged in at .+\/sandbox: .*titian login/],
    [{ TITIAN_TOKEN: "wrong" }, 2, /TITIAN_TOKEN needs TITIAN_URL/],
    [{ ...ofUrl, TITIAN_URL: "http://127.0.0.1:9" }, 1, /The service at http:\/\/127\.0\.0\.1:9 does not respond/],
    // A name that no server has: nobody gets the token.
    [
      { ...ofUrl, TITIAN_URL: "http://titian.invalid" },
      1,
      /^Service at .+\nWarning: TITIAN_TOKEN .+ unencrypted, .+: use https/,
    ],
    [{ ...ofUrl, TITIAN_URL: file.baseUrl }, 1, /is not a service of this release \(HTTP 404\)/],
  ];
  for (const [env, expected, message] of cases) {
    const { exitCode, stderr } = await runCli(["account", "list"], { env });
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
  }
});
