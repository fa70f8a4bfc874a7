/** `titian transfer show --partner` finds a transfer by its partner's numbers, `titian find` a record by what people know of it. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ControlAnswers } from "../../../packages/control/src/types.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkPath, itemsOf, numberOf } from "../../support/black-box/bulks.ts";
import { paths, paymentBody } from "../../support/black-box/payments/hold-bodies.ts";
import { idr } from "../../support/black-box/transfers.ts";
import { cellsOf, startCliFixture } from "../../support/cli/cli-fixture.ts";
import { proposeByAnother, proposer, returned } from "../../support/database/proposed-act.ts";

const fixture = await startCliFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, file, ownerUrl, run, lines, newPayer, send } = fixture;

test("a transfer is found by its partnerReferenceNo or X-EXTERNAL-ID", async () => {
  const sent = await send("transfer-interbank", "2001800", "success");
  const shown = await lines(`transfer show ${sent.referenceNo}`);
  for (const number of [sent.partnerReferenceNo, sent.externalId]) {
    assert.deepEqual(await lines(`transfer show ${number} --partner alpha`), shown);
  }
  const nothing = await run(`transfer show ${sent.partnerReferenceNo} --partner beta`);
  assert.equal(nothing.exitCode, 1);
  assert.match(nothing.stderr, /No transfer of beta has the partnerReferenceNo or the X-EXTERNAL-ID /);
  const nobody = await run(`transfer show ${sent.partnerReferenceNo} --partner nobody`);
  assert.deepEqual([nobody.exitCode, /There is no partner nobody/.test(nobody.stderr)], [1, true]);

  const rejected = await send("transfer-interbank", "4041813", "success", {
    amount: { value: "0.00", currency: "IDR" },
  });
  const shownRejection = await lines(`transfer show ${rejected.partnerReferenceNo} --partner alpha`);
  assert.deepEqual(shownRejection, [
    `${rejected.partnerReferenceNo} was rejected; no money moved. A new request with the same number may succeed.`,
    " | service 18, <time>: amountTooSmall (Invalid Amount [Zero amount])",
  ]);

  const within = await send("transfer-intrabank", "2001700", "success", { beneficiaryAccountNo: await newPayer() });
  const [first, , , posting] = await lines(`transfer show ${within.partnerReferenceNo} --partner alpha`);
  assert.equal(first, `Transfer ${within.referenceNo}, intrabank: settled <time>, within the call.`);
  assert.match(posting ?? "", new RegExp(String.raw`^transfer \| 10,000\.00 \| ${within.payer} \| `));

  // The same number under another service is another transfer's.
  const again = { partnerReferenceNo: within.partnerReferenceNo };
  const other = await send("transfer-interbank", "2001800", "success", again);
  const several = await run(`transfer show ${within.partnerReferenceNo} --partner alpha`);
  assert.equal(several.exitCode, 1);
  assert.match(
    several.stderr,
    new RegExp(`${within.referenceNo}  service 17, .*\n  ${other.referenceNo}  service 18, `),
  );
});

type Found = ControlAnswers["GET /search"];
const search = (text: string, query = "") =>
  control.call<Found>("GET", `search?number=${encodeURIComponent(text)}${query}`);

/** Its reasons, once the words of a record are made. */
const reasonsOf = (referenceNo: string, text: string) =>
  eventually(async () => {
    const { matches } = await search(text);
    return matches
      .find((match) => match.referenceNo === referenceNo)
      ?.reasons.map(({ by, day }) => (day ? `${by} ${day}` : by));
  });

test("an amount with its day, accounts, names, and a number in any case find their records", async () => {
  const amount = idr("7654321.00");
  const payer = (await control.open({ name: "Siti", balance: "90000000.00", partnerId: "alpha" })).accountNo;
  const body = { amount, sourceAccountNo: payer, beneficiaryAccountName: "Rátna  KUSUMA" };
  const { referenceNo, partnerReferenceNo } = await send("transfer-interbank", "2001800", "success", {
    ...body,
    partnerReferenceNo: `Trx-${payer}`,
    beneficiaryAccountNo: "888-77 00017",
  });
  const day = (await control.call<{ now: string }>("GET", "clock")).now.slice(0, 10);
  assert.deepEqual(await reasonsOf(referenceNo, `7.654.321 ${day}`), [`amount ${day}`]);
  assert.deepEqual(await reasonsOf(referenceNo, `${payer} Rp7,654,321.00`), ["payerAccountNo", `amount ${day}`]);
  assert.deepEqual(await reasonsOf(referenceNo, "8887700017"), ["beneficiaryAccountNo"]);
  assert.deepEqual(await reasonsOf(referenceNo, "kusuma ratna"), ["beneficiaryName"]);
  assert.deepEqual(await reasonsOf(referenceNo, `TRX-${payer}`), ["partnerReferenceNo"]);
  assert.deepEqual(await reasonsOf(referenceNo, referenceNo.toLowerCase()), ["referenceNo"]);
  // Every part counts.
  for (const text of ["7654321 2001-01-01", "ratna nobody", `${payer} 1`, "kusum", `${partnerReferenceNo}0`, "%"])
    assert.deepEqual((await search(text)).matches, [], text);
  const others = await search(`${payer} ratna`, "&partnerId=beta");
  assert.deepEqual([others.matches, others.hasMore], [[], false]);
  const metrics = await (await fetch(`${file.baseUrl}/metrics`)).text();
  assert.match(metrics, /^titian_search_behind_seconds(\{cell="0"\})? 0$/m);

  // An account of ours: itself, then its records of every kind.
  const paid = await alpha.call(
    paths.payment,
    paymentBody("alpha-hotel", { amount: idr("2.00"), additionalInfo: { sourceAccountNo: payer } }),
  );
  const bulk = await alpha.call(bulkPath, bulkBody(payer, 2));
  assert.deepEqual([paid.status, bulk.status], [200, 200], paid.text + bulk.text);
  await reasonsOf(String(bulk.body["bulkId"]), payer);
  const { matches, missingSince } = await search(payer);
  assert.deepEqual(
    [matches.map(({ kind }) => kind), missingSince],
    [["account", "bulk", "payment", "transfer"], undefined],
  );
});

test("an item of a bulk is found by what is its own", async () => {
  const body = bulkBody(await newPayer(), 2);
  const answer = await alpha.call(bulkPath, body);
  assert.equal(answer.status, 200, answer.text);
  const number = numberOf(itemsOf(body)[1]);
  const { matches } = await eventually(async () => {
    const found = await search(`aini ${number.toLowerCase()}`);
    return found.matches.length > 0 && found;
  });
  assert.deepEqual(
    matches.map(({ kind, reasons }) => [kind, ...reasons.map(({ by }) => by)]),
    [["bulkItem", "beneficiaryName", "partnerReferenceNo"]],
  );
});

test("a rejected request is found by what people know of it, and leads to its call", async () => {
  const payer = (await control.open({ name: "Bagus Hartono", balance: "0.00", partnerId: "alpha" })).accountNo;
  const number = `Rej-${payer}`;
  const amount = idr("765.00");
  const beneficiary = { beneficiaryAccountNo: "88-700 0099", beneficiaryAccountName: "Wulan Sari" };
  const rejected = { sourceAccountNo: payer, partnerReferenceNo: number, amount, ...beneficiary };
  await send("transfer-interbank", "4031814", "success", rejected);
  const { externalId } = await send("transfer-interbank", "4031814", "success", rejected);
  const day = (await control.call<{ now: string }>("GET", "clock")).now.slice(0, 10);
  const found = (text: string) =>
    eventually(async () => {
      const { matches } = await search(text);
      // An exact number finds it at once, with its call once that is kept.
      return matches.find(({ correlationId }) => correlationId !== undefined) && matches;
    });
  const reasonsOfOnly = async (text: string) => {
    const [match, ...others] = await found(text);
    assert.deepEqual([match?.kind, match?.responseCode, others], ["rejection", "4031814", []], text);
    return match?.reasons.map(({ by }) => by);
  };
  // Twice rejected alike: one card, of the newer call.
  for (const text of [number.toLowerCase(), number])
    assert.deepEqual(await reasonsOfOnly(text), ["partnerReferenceNo"], text);
  assert.deepEqual(await reasonsOfOnly(externalId), ["externalId"]);
  assert.deepEqual(await reasonsOfOnly(`765 ${day} ${payer}`), ["amount", "payerAccountNo"]);
  assert.deepEqual(await reasonsOfOnly("887000099"), ["beneficiaryAccountNo"]);
  assert.deepEqual(await reasonsOfOnly("sari wulan"), ["beneficiaryName"]);
  const [account, match, ...others] = await found("bagus hartono");
  assert.deepEqual([account?.kind, account?.accountNo, account?.reasons], ["account", payer, [{ by: "holderName" }]]);
  assert.deepEqual(
    [match?.kind, match?.accountNo, match?.amount, match?.name, others],
    ["rejection", payer, "765.00", "Wulan Sari", []],
  );
  const call = await control.call<ControlAnswers["GET /calls/{id}"]>("GET", `calls/${match?.correlationId}`);
  assert.match(call.request.body ?? "", new RegExp(number));
  const kept = await control.call<ControlAnswers["GET /calls/{id}/kept"]>("GET", `calls/${match?.correlationId}/kept`);
  assert.deepEqual([JSON.parse(kept.body ?? "").partnerReferenceNo, kept.canBeSentAgain], [number, true]);
  assert.deepEqual((await search("sari wulan", "&partnerId=beta")).matches, []);
  assert.deepEqual((await search("sari wulan 2001-01-01")).matches, []);
  // Once it succeeds, both are shown.
  const { accountNo } = await control.open({ name: "Rich", balance: "9000.00", partnerId: "alpha" });
  const { referenceNo } = await send("transfer-interbank", "2001800", "success", {
    ...rejected,
    sourceAccountNo: accountNo,
    amount: idr("5.00"),
    beneficiaryAccountNo: fixture.scenario("success"),
  });
  await reasonsOf(referenceNo, number.toUpperCase());
  assert.deepEqual(
    (await search(number.toUpperCase())).matches.map(({ kind }) => kind),
    ["transfer", "rejection"],
  );
});

test("customers of ours are found by the names of their accounts, with what they paid and got", async () => {
  const open = async (name: string) =>
    (await control.open({ name, balance: "90000.00", partnerId: "alpha" })).accountNo;
  const [budi, sri] = [await open("Budi Sántoso"), await open("Sri Lestari")];
  const between = (sourceAccountNo: string, beneficiaryAccountNo: string) =>
    send("transfer-intrabank", "2001700", "success", { sourceAccountNo, beneficiaryAccountNo, amount: idr("11.00") });
  const [paid, got] = [await between(budi, sri), await between(sri, budi)];
  const hold = { amount: idr("2.00"), additionalInfo: { sourceAccountNo: budi } };
  const held = await alpha.call(paths.payment, paymentBody("alpha-hotel", hold));
  assert.equal(held.status, 200, held.text);
  assert.deepEqual(await reasonsOf(paid.referenceNo, "santoso budi"), ["payerName"]);
  assert.deepEqual(await reasonsOf(got.referenceNo, "budi lestari"), ["beneficiaryName", "payerName"]);
  await reasonsOf(String(held.body["referenceNo"]), "budi santoso");
  const { matches } = await search("budi santoso");
  assert.deepEqual(
    matches.map(({ kind, accountNo }) => (kind === "account" ? accountNo : kind)),
    [budi, "payment", "transfer", "transfer"],
  );
});

test("an X-CORRELATION-ID finds its call, and the record that the call is about", async () => {
  const { referenceNo, externalId } = await send("transfer-interbank", "2001800", "success");
  const { calls } = await control.call<ControlAnswers["GET /calls"]>("GET", "calls?limit=20");
  const id = calls.find((call) => call.operation === "interbankTransfer")?.id ?? assert.fail(externalId);
  const { matches } = await search(id.toUpperCase());
  assert.deepEqual(
    matches.map(({ kind, reasons, ...match }) => [
      kind,
      match.referenceNo ?? match.correlationId,
      ...reasons.map(({ by }) => by),
    ]),
    [
      ["transfer", referenceNo, "correlationId"],
      ["call", id, "correlationId"],
    ],
  );
  // A rejected call has no record.
  const rejected = await alpha.call("transfer-interbank", {});
  const [newest] = (await control.call<ControlAnswers["GET /calls"]>("GET", "calls?limit=1")).calls;
  assert.deepEqual(
    (await search(newest?.id ?? "")).matches.map(({ kind, responseCode }) => [kind, responseCode]),
    [["call", rejected.code]],
  );
});

test("titian find prints a table a kind with the reasons, or JSON", async () => {
  const payer = await newPayer();
  const { referenceNo } = await send("transfer-interbank", "2001800", "success", {
    sourceAccountNo: payer,
    beneficiaryAccountName: "Wahyu",
  });
  await reasonsOf(referenceNo, "wahyu");
  assert.deepEqual(await lines(`find ${payer} WAHYU`), [
    "Transfers",
    "",
    "number | partner | amount | state | time | name | found by",
    `${referenceNo} | alpha | 10,000.00 IDR | settled | <time> | Wahyu | payer's account, beneficiary's name`,
  ]);
  const both = await run(`find ${payer}`);
  assert.deepEqual(cellsOf(both).slice(0, 4), [
    "Accounts",
    "",
    "number | amount | state | name | found by",
    `${payer} | 987,500.00 IDR | active | Siti | account`,
  ]);
  const json = await run(`find 10000 ${payer} --partner alpha --json`);
  const { matches } = JSON.parse(json.stdout) as Found;
  assert.deepEqual([json.exitCode, matches.map((match) => match.referenceNo)], [0, [referenceNo]]);
  assert.match(matches[0]?.reasons.map(({ by, day }) => `${by} ${day ?? ""}`).join() ?? "", /^amount 20\d\d-/);
  const nothing = await run(`find ${payer} nobody`);
  assert.deepEqual([nothing.exitCode, nothing.stdout], [1, ""]);
  assert.match(nothing.stderr, /Nothing has all of this: \d+ nobody\nNo record has "nobody"\.\n/);
  const apart = await run(`find ${payer} nobody 1 2001-01-01 --json`);
  assert.deepEqual((JSON.parse(apart.stdout) as Found).unknownWords, ["nobody", "1"]);
  // Each is some record's, or it is the one word.
  for (const text of [`${payer} Ratna`, "nobody"])
    assert.deepEqual((JSON.parse((await run(`find ${text} --json`)).stdout) as Found).unknownWords, [], text);
  assert.equal((await run("find")).exitCode, 2);
  assert.match((await run(`find ${payer} --partner nobody`)).stderr, /There is no such partner|no partner/);
});

test("what waits for approval on a transfer or account is told where they are shown, and who did what once it is done", async () => {
  const { payer, referenceNo } = await send("transfer-interbank", "2001800", "success");
  const reason = "the beneficiary's bank sent it back";
  const actId = await proposeByAnother(ownerUrl, { ...returned, target: referenceNo, reason });
  const shown = (await lines(`transfer show ${referenceNo}`)).join("\n");
  assert.match(shown, new RegExp(`^open act \\| waits for approval until <time>: titian act show ${actId}$`, "m"));
  assert.match(
    shown,
    /^does \| .* from Siti \(\d+\) to Ratna \(\d+, .+\) as returned: IDR 10,000\.00 goes back to the payer/m,
  );
  assert.match(shown, new RegExp(`^reason \\| ${reason}\nproposed \\| <time> by ${proposer}$`, "m"));
  const timeline = () => control.call<ControlAnswers["GET /timeline/{referenceNo}"]>("GET", `timeline/${referenceNo}`);
  const { openAct } = await timeline();
  assert.deepEqual([openAct?.actId, openAct?.state, openAct?.proposedBy], [actId, "proposed", proposer]);

  const account = {
    kind: "funding",
    target: payer,
    after: { amount: "500", currency: "IDR" },
    reason: "a gift",
  } as const;
  const onAccount = await proposeByAnother(ownerUrl, { ...account, reference: "gift-1" });
  const openOn = async () =>
    (await control.call<ControlAnswers["GET /accounts/{accountNo}"]>("GET", `accounts/${payer}`)).openAct;
  const funding = await openOn();
  assert.equal(funding?.does, `Put IDR 5.00 on account ${payer} of Siti, reference gift-1`);
  assert.match(funding?.doesTranslations.id ?? "", /^Menambah IDR 5,00 ke rekening/);
  assert.equal((await run(`act refuse ${onAccount} --reason late`)).exitCode, 0);
  assert.equal(await openOn(), undefined);

  assert.equal((await run(`act approve ${actId} --yes`)).exitCode, 0);
  // Whoever runs the command carries out what was approved, and need not wait for a node.
  assert.equal((await run(`transfer resolve ${referenceNo} returned --yes`)).exitCode, 0);
  const { events } = await timeline();
  const steps = events.filter(({ act }) => act !== undefined).map(({ kind, act }) => [kind, act?.who, act?.reason]);
  assert.deepEqual(steps, [
    ["actProposed", proposer, reason],
    ["actApproved", "titian control", undefined],
    ["actCarriedOut", steps[2]?.[1], undefined],
  ]);
  assert.equal(events.at(-1)?.kind, "returned", "what was done stands behind the steps that led to it");
  assert.ok(
    (await lines(`transfer show ${referenceNo}`)).includes(`acts on it | titian act list --target ${referenceNo}`),
  );
});
