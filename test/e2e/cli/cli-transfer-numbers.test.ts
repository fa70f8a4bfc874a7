/** `titian transfer show --partner`: finds a transfer by its partner's numbers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCliFixture } from "../../support/cli/cli-fixture.ts";

const fixture = await startCliFixture();
after(() => fixture[Symbol.asyncDispose]());
const { run, lines, newPayer, send } = fixture;

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
  assert.match(posting ?? "", new RegExp(String.raw`^transfer \| 10000\.00 \| ${within.payer} \| `));

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
