/** `titian explain`: saved calls of every form, and response codes, explained without a service. */
import assert from "node:assert/strict";
import { createHmac, createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCli } from "../support/cli/run-cli.ts";
import { writeSandboxFile } from "../support/cli/sandbox-json.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-explain-"));
const sandbox = writeSandboxFile();
after(() => {
  sandbox[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

const token = ["{}", '{"sub":"x","aud":"titian:b2b"}', "x"]
  .map((part) => Buffer.from(part).toString("base64url"))
  .join(".");
const path = "/snap/v1.0/transfer-intrabank";
const target = "/snap/v1.0/transfer-intrabank";
const body = JSON.stringify({
  partnerReferenceNo: "E-1",
  amount: { value: "10000", currency: "IDR" },
  beneficiaryAccountNo: "1",
  sourceAccountNo: "it's 2",
  transactionDate: "2026-11-21T10:00:00+07:00",
});

/** The headers of a call whose signature is of another path, or right. */
function headersOf(signedPath: string, secret = sandbox.clientSecret): Readonly<Record<string, string>> {
  const timestamp = "2026-11-21T10:00:00+07:00";
  const hash = createHash("sha256").update(body).digest("hex");
  const text = `POST:${signedPath}:${token}:${hash}:${timestamp}`;
  return {
    Host: "127.0.0.1:8080",
    "Content-Type": "application/json",
    Authorization: `Bearer ${token}`,
    "X-TIMESTAMP": timestamp,
    "X-SIGNATURE": createHmac("sha512", secret).update(text).digest("base64"),
    "X-PARTNER-ID": "shop",
    "X-EXTERNAL-ID": "1",
    "CHANNEL-ID": "95221",
  };
}

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
const raw = (headers: Readonly<Record<string, string>>, end = "\r\n") =>
  [`POST ${target} HTTP/1.1`, ...lines(headers), "", body].join(end);
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const curl = (headers: Readonly<Record<string, string>>) =>
  [
    `curl -sS -X POST "http://127.0.0.1:8080${target}"`,
    ...lines(headers).map((line) => `-H ${quote(line)}`),
    `--data-raw ${quote(body)}`,
  ].join(" \\\n  ");
const har = (headers: Readonly<Record<string, string>>) =>
  JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime: "2026-11-21T03:00:02.000Z",
          request: {
            method: "POST",
            url: `http://127.0.0.1:8080${target}`,
            headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
            postData: { text: body },
          },
        },
      ],
    },
  });
const plain = (headers: Readonly<Record<string, string>>) =>
  JSON.stringify({ method: "POST", url: `http://127.0.0.1:8080${target}`, headers, body });

let savedCount = 0;
function save(text: string): string {
  savedCount += 1;
  const file = join(directory, `call-${savedCount}`);
  writeFileSync(file, text);
  return file;
}
const explain = (text: string, ...flags: readonly string[]) =>
  runCli(["explain", save(text), ...flags], { env: { TITIAN_DATA_DIR: sandbox.dataDir } });

const forms = {
  "raw HTTP": raw,
  "raw HTTP from an editor": (headers: Readonly<Record<string, string>>) => `${raw(headers, "\n")}\n`,
  "a curl command": curl,
  "a HAR": har,
  JSON: plain,
};

for (const [name, write] of Object.entries(forms)) {
  test(`${name} is explained, and a right call passes`, async () => {
    const wrong = await explain(write(headersOf("/snap/transfer-intrabank")));
    assert.equal(wrong.exitCode, 1, wrong.stderr);
    assert.match(wrong.stdout, /^Step 7: You signed the path without \/v1\.0\.\n {2}Cause +path\n/);
    assert.match(wrong.stdout, /Differs at +character 12/);
    assert.ok(!(wrong.stdout + wrong.stderr).includes(sandbox.clientSecret));
    const right = await explain(write(headersOf(target)), "--json");
    assert.equal(right.exitCode, 0, right.stdout + right.stderr);
    const { step, warnings, diagnosis } = JSON.parse(right.stdout);
    assert.deepEqual([step, diagnosis.sentenceId], [undefined, "call.passes"]);
    assert.deepEqual(
      warnings.map(({ part }: { part: string }) => part),
      ["amount.value"],
    );
  });
}

test("credentials may come from files, and sentences in Indonesian", async () => {
  const secretFile = save(`${sandbox.clientSecret}\n`);
  const run = await explain(
    raw(headersOf(`http://127.0.0.1:8080${target}`)),
    "--secret-file",
    secretFile,
    "--language",
    "id",
  );
  assert.match(run.stdout, /^Langkah 7: |^Step 7: Anda menandatangani seluruh alamat/);
  assert.match(run.stderr, /line break at its end is not part/);
});

test("what curl shows of a call needs its body beside it", async () => {
  const verbose = [
    "* Connected",
    `> POST ${target} HTTP/1.1`,
    ...lines(headersOf("/x")).map((line) => `> ${line}`),
    "> ",
    "< HTTP/1.1 401",
  ].join("\n");
  const without = await explain(verbose);
  assert.match(without.stderr, /give it with --body/);
  const run = await explain(verbose, "--body", save(body));
  assert.match(run.stdout, /^Step 7: /);
  assert.equal(run.exitCode, 1);
});

test("a clock is judged when the time of the call is known", async () => {
  const run = await explain(raw(headersOf(target)), "--at", "2026-11-21T17:00:00+07:00");
  assert.match(run.stdout, /^Step 6: X-TIMESTAMP is exactly 7 hours behind/);
});

const meanings: readonly (readonly [string, readonly string[]])[] = [
  [
    "4031714",
    [
      "Response code       4031714 Insufficient Funds",
      "HTTP status         403",
      "Operation           17 intrabankTransfer, Transfer within the bank",
      "Case                14 insufficientFunds",
      "Cause               Amount and fee are more than is available on the account that pays.",
      "Cure                Choose a smaller amount, or wait for funds. A refund is paid by the merchant's settlement account.",
    ],
  ],
  [
    "4036502 --language id",
    ["[Hold remainder]  Melebihi sisa hold", "Cure                Pilih nominal yang lebih kecil."],
  ],
  ["4031506", ["Cause               The standard has this case; Titian never answers this operation with it."]],
  ["2002100", ["Cause               A partner's receiver answers a notification with it."]],
];
for (const [line, expected] of meanings) {
  test(`titian explain ${line} says what the code means`, async () => {
    const run = await runCli(["explain", ...line.split(" ")]);
    assert.equal(run.exitCode, 0, run.stderr);
    for (const text of expected) assert.ok(`\n${run.stdout}`.includes(`\n${text}`), run.stdout);
  });
}

test("a code as JSON has the reasons of its operation", async () => {
  const { stdout } = await runCli(["explain", "4036502", "--json"]);
  const { operation, caseName, cause, reasons } = JSON.parse(stdout);
  assert.deepEqual([operation, caseName], ["authCapture", "exceedsTransactionAmountLimit"]);
  assert.match(cause, /above a limit/);
  assert.deepEqual(
    reasons.map(({ reason, meaning }: Record<string, string>) => [reason, meaning !== ""]),
    [["Hold remainder", true]],
  );
});

const unknownCodes: readonly (readonly [string, RegExp])[] = [
  ["403171", /^403171 is no response code: that has 7 digits, .* A file of this name is \.\/403171\n$/],
  ["403xx14", /^403xx14 is no response code/],
  ["4039914", /^4039914 is unknown: No operation has the service code 99 \(digits 4 and 5\); there are 15, 16, 17, /],
  ["4031799", /^4031799 is unknown: HTTP status 403 has no case 99 \(digits 6 and 7\); there are 00, 01, /],
  ["4189900", /service code 99 .* No response has the HTTP status 418 \(digits 1 to 3\); there are 200, 202, /],
];
for (const [code, message] of unknownCodes) {
  test(`titian explain ${code} says which part is wrong`, async () => {
    const run = await runCli(["explain", code]);
    assert.deepEqual([run.exitCode, run.stdout], [2, ""]);
    assert.match(run.stderr, message);
  });
}

const faulty: readonly (readonly [string, RegExp])[] = [
  ["", /first line is "", not a request/],
  ["{ no", /starts like JSON and is not/],
  ['{"a":1}', /is no saved call. A HAR/],
  ["curl -d 'x", /quotation mark that is not closed/],
  [`curl "$BASE${path}" -d x`, /has the variable \$BASE/],
  ["curl -d x", /no URL/],
  ["POST /x HTTP/1.1\nno header\n\n", /"no header" is no header/],
];
for (const [text, message] of faulty) {
  test(`${JSON.stringify(text)} is no saved call`, async () => {
    const run = await explain(text);
    assert.equal(run.exitCode, 2);
    assert.match(run.stderr, message);
  });
}

test("nothing that a saved call says acts on the terminal, in reports, notes and errors", async () => {
  const escapes = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\b\r\u2066\u200b";
  const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  const headers = { ...headersOf(path), "X-PARTNER-ID": `shop${escapes}`, [`X-${escapes}`]: escapes };
  const samples: Readonly<Record<string, string>> = {
    "raw.http": raw(headers),
    "call.json": JSON.stringify({
      method: "POST",
      url: `http://h/${escapes}\n`,
      headers: headersOf(path),
      body: `{"${escapes}`,
    }),
    "two.har": JSON.stringify({
      log: {
        entries: [1, 2].map(() => ({ request: { method: "POST", url: `http://h/${escapes}`, headers: [] } })),
      },
    }),
    "no-url.json": JSON.stringify({ method: "POST", url: escapes, headers: {} }),
    "broken.json": `{"${escapes}`,
    "not-http": `${escapes}\n${escapes}\n\nx`,
    "open.sh": `curl '${escapes}`,
    "at.sh": `curl http://h/ -d @/etc/${escapes}`,
    "variable.sh": `curl http://h/${escapes} -d "$A"`,
  };
  for (const [name, text] of Object.entries(samples)) {
    const file = join(directory, name);
    writeFileSync(file, text);
    for (const options of [[], ["--json"], ["--language", "id"]]) {
      const { stdout, stderr } = await runCli(["explain", file, ...options], {
        env: { TITIAN_DATA_DIR: sandbox.dataDir },
      });
      const printed = `${stdout}${stderr}`.split("\n");
      assert.ok(printed.join("").length > 20, name);
      for (const line of printed) assert.doesNotMatch(line, acting, name);
    }
  }
});
