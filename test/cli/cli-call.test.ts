/** `titian call` without a service: dry runs and missing responses. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashBody, signHmac, stringToSign, verifyRsa } from "@titian/contract";
import { runCli, spawnCli } from "../support/cli/run-cli.ts";
import { writeSandboxFile } from "../support/cli/sandbox-json.ts";

const transfer = [
  "call 17 --field sourceAccountNo=1000000001 --field beneficiaryAccountNo=2000000001",
  "--field amount.value=1000.00 --field amount.currency=IDR",
].flatMap((line) => line.split(" "));

/** The headers that a run showed, by name. */
function shownHeaders(stderr: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...stderr.matchAll(/^([A-Z][\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]));
}

describe("titian call --dry-run", () => {
  test("signs with the secret what it shows, and sends nothing", async () => {
    using sandbox = writeSandboxFile();
    const run = await runCli(
      [...transfer, "--dry-run", "--access-token", "the-token", "--show-secrets", "--external-id", "id-1"],
      { env: { TITIAN_DATA_DIR: sandbox.dataDir } },
    );
    assert.equal(run.exitCode, 0, run.stderr);
    const headers = shownHeaders(run.stderr);
    const body = /\(SHA-256 ([0-9a-f]{64})\):\n(.+)\n/.exec(run.stderr);
    const text = stringToSign.transaction({
      method: "POST",
      path: "/snap/v1.0/transfer-intrabank",
      accessToken: "the-token",
      bodyHash: hashBody(Buffer.from(body?.[2] ?? "")),
      timestamp: headers["X-TIMESTAMP"] ?? "",
    });
    assert.equal(run.stdout.trim(), text);
    assert.equal(headers["X-SIGNATURE"], signHmac(sandbox.clientSecret, text));
    assert.equal(headers["X-EXTERNAL-ID"], "id-1");
    assert.equal(headers["X-PARTNER-ID"], "shop");
    assert.match(run.stderr, /Nothing was sent/);
    const sent = JSON.parse(body?.[2] ?? "");
    assert.deepEqual(sent.amount, { value: "1000.00", currency: "IDR" });
    assert.match(
      run.stderr,
      new RegExp(`Generated: +partnerReferenceNo = ${sent.partnerReferenceNo}, transactionDate =`),
    );
  });

  test("signs with the private key for a partner in mode 2, without a token", async () => {
    using sandbox = writeSandboxFile();
    const run = await runCli([...transfer, "--dry-run", "--partner", "bank", "--show-secrets"], {
      env: { TITIAN_DATA_DIR: sandbox.dataDir },
    });
    const headers = shownHeaders(run.stderr);
    assert.equal(headers["Authorization"], undefined);
    assert.match(run.stdout, /^POST:\/snap\/v1\.0\/transfer-intrabank:[0-9a-f]{64}:20/);
    assert.ok(verifyRsa(sandbox.publicKey, run.stdout.trim(), headers["X-SIGNATURE"] ?? ""));
  });

  test("says that a placeholder stands for the token, and shortens the signature", async () => {
    using sandbox = writeSandboxFile();
    const run = await runCli([...transfer, "--dry-run"], { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
    assert.match(run.stdout, /:ACCESS-TOKEN:/);
    assert.match(run.stderr, /placeholder ACCESS-TOKEN/);
    assert.match(run.stderr, /X-SIGNATURE: .{10}… \(88 characters\)/);
  });
});

test("titian call: fields override a file, --no-fill generates nothing, and probable mistakes are noted", async () => {
  using sandbox = writeSandboxFile();
  const run = await spawnCli(
    [
      "call 20 --json - --no-fill --dry-run --field bulkObject[1].bankCode=014 --field remrk=x",
      '--field additionalInfo:={"a":[1]}',
    ].flatMap((line) => line.split(" ")),
    {
      env: { TITIAN_DATA_DIR: sandbox.dataDir },
      input: JSON.stringify({ customerReference: "C", bulkObject: [{ bankCode: "008" }] }),
    },
  );
  assert.equal(run.exitCode, 0, run.stderr);
  assert.match(
    run.stderr,
    /\n\{"customerReference":"C","bulkObject":\[\{"bankCode":"008"\},\{"bankCode":"014"\}\],"remrk":"x","additionalInfo":\{"a":\[1\]\}\}\n/,
  );
  assert.match(run.stderr, /no field remrk.*Did you mean remark\?/);
  assert.match(run.stderr, /also needs sourceAccountNo, transactionDate/);
  assert.doesNotMatch(run.stderr, /Generated:/);
});

test("titian call takes an amount as a number of rupiah, and leaves every other text as it is", async () => {
  using sandbox = writeSandboxFile();
  const sent = async (line: string) => {
    const { stderr } = await runCli(`call ${line} --dry-run --no-fill`.split(" "), {
      env: { TITIAN_DATA_DIR: sandbox.dataDir },
    });
    return JSON.parse(/\(SHA-256 [0-9a-f]{64}\):\n(.+)\n/.exec(stderr)?.[1] ?? assert.fail(stderr));
  };
  const rupiah = (value: string) => ({ value, currency: "IDR" });
  for (const [text, value] of [
    ["250000", "250000.00"],
    ["250000.5", "250000.50"],
    ["0.01", "0.01"],
    ["1.234", "1.234"],
  ] as const) {
    assert.deepEqual(await sent(`17 -f amount=${text}`), { amount: rupiah(value) });
  }
  for (const text of ["250,000", "-1", "", "a"]) assert.deepEqual(await sent(`17 -f amount=${text}`), { amount: text });
  assert.deepEqual(await sent("17 -f amount=5 -f amount.currency=USD -f remark=7"), {
    amount: { value: "5.00", currency: "USD" },
    remark: "7",
  });
  assert.deepEqual(await sent('17 -f amount:="5"'), { amount: "5" });
  assert.deepEqual(await sent("20 -f bulkObject[0].amount=5 -f bulkObject[0].bankCode=014"), {
    bulkObject: [{ amount: rupiah("5.00"), bankCode: "014" }],
  });
});

test("titian call reports a missing service and that nothing was sent", async () => {
  using sandbox = writeSandboxFile();
  const run = await runCli(transfer, { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
  assert.equal(run.exitCode, 1, run.stderr);
  assert.match(run.stderr, /was not sent/);
  assert.match(run.stderr, /Is the service running at http:\/\/127\.0\.0\.1:9\?.*npm start/);
});

test("titian call keeps a write without a response repeatable", async () => {
  using sandbox = writeSandboxFile();
  const run = await runCli([...transfer, "--partner", "bank"], { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
  assert.equal(run.exitCode, 3, run.stderr);
  assert.match(run.stderr, /echo '\{.*\}' \| titian call intrabankTransfer --external-id \d{32} --json -/);
});

test("titian call names the partners when it does not know one", async () => {
  using sandbox = writeSandboxFile();
  const run = await runCli([...transfer, "--partner", "nobody"], { env: { TITIAN_DATA_DIR: sandbox.dataDir } });
  assert.equal(run.exitCode, 2);
  assert.match(run.stderr, /no partner nobody.*shop, bank/);
});
