// Goal: a genuine notification of another partner, or about a number that is none of ours, reaches no handler. Method: bodies
// signed with the provider's one key, as mode 2 signs for all partners.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulk, bulkPath, deliver, rtgs, sign, skn, sknPath, testReceiver } from "../helpers/provider.ts";

const kinds = [
  ["76", rtgs, undefined],
  ["75", skn, sknPath],
  ["21", bulk, bulkPath],
] as const;

const unnamed = "4007602 Invalid Mandatory Field additionalInfo.partnerId";
const others = "4017600 Unauthorized. [Unknown client]";
const success = "2007600 Successful";
const bodies: readonly (readonly [name: string, additionalInfo: unknown, required: string, optional: string])[] = [
  ["ours", { partnerId: "PARTNER-1", note: "x" }, success, success],
  ["another partner's", { partnerId: "PARTNER-2" }, others, others],
  ["ours in other letters", { partnerId: "partner-1" }, others, others],
  ["a blank id", { partnerId: "" }, others, others],
  ["a list with ours", { partnerId: ["PARTNER-1"] }, others, others],
  ["ours under another name", { partnerID: "PARTNER-1", value: { partnerId: "PARTNER-1" } }, unnamed, success],
  ["no id", {}, unnamed, success],
  ["an id that is null", { partnerId: null }, unnamed, success],
  ["a text", "PARTNER-1", unnamed, success],
  ["a list", [{ partnerId: "PARTNER-1" }], unnamed, success],
  ["nothing", undefined, unnamed, success],
];

for (const [name, additionalInfo, required, optional] of bodies) {
  test(`additionalInfo with ${name}`, async () => {
    for (const [code, body, path] of kinds) {
      for (const [partnerIdInBody, expected] of [
        [undefined, required],
        ["optional", optional],
      ] as const) {
        const { receiver, handled, rejected } = testReceiver({ partnerIdInBody });
        const { body: answer } = await deliver(receiver, sign({ ...body, additionalInfo }, path && { path }));
        const said = `${String(answer["responseCode"])} ${String(answer["responseMessage"])}`;
        assert.equal(said, expected.replace("76", code), partnerIdInBody);
        assert.equal(handled.length, expected === success ? 1 : 0);
        assert.deepEqual(
          rejected.map(({ step }) => step),
          expected === success ? [] : ["partner"],
        );
      }
    }
  });
}

test("the header names us and the body another partner: the body decides; the other way round neither is accepted", async () => {
  const { receiver, handled, rejected } = testReceiver();
  const genuine = sign({ ...rtgs, additionalInfo: { partnerId: "PARTNER-2" } });
  assert.equal((await deliver(receiver, genuine)).responseCode, "4017600");
  const headers = { ...sign(rtgs).headers, "x-partner-id": "PARTNER-2" };
  assert.equal((await deliver(receiver, { ...sign(rtgs), headers })).responseCode, "4017600");
  assert.deepEqual(handled, []);
  assert.match(rejected[0]?.cause ?? "", /additionalInfo\.partnerId is not ours/);
  assert.match(rejected[1]?.cause ?? "", /X-PARTNER-ID is not ours/);
});

test("a rejected notification leaves nothing behind that keeps our own from being handled", async () => {
  const { receiver, handled } = testReceiver();
  await deliver(receiver, sign({ ...rtgs, additionalInfo: { partnerId: "PARTNER-2" } }));
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.equal(handled.length, 1);
});

test("isOurs is asked with the provider's number and ours, before the handler, also of a bulk", async () => {
  const asked: unknown[] = [];
  const { receiver, handled } = testReceiver({
    isOurs: (number, context) => {
      assert.equal(handled.length, asked.length);
      return asked.push([number, context]) > 0;
    },
  });
  for (const [, body, path] of kinds) assert.equal((await deliver(receiver, sign(body, path && { path }))).status, 200);
  const of = ({ originalReferenceNo, originalPartnerReferenceNo }: typeof rtgs, serviceCode: string) => [
    originalReferenceNo,
    { serviceCode, partnerReferenceNo: originalPartnerReferenceNo },
  ];
  assert.deepEqual(asked, [
    of(rtgs, "76"),
    of(skn, "75"),
    [bulk.bulkId, { serviceCode: "21", partnerReferenceNo: bulk.partnerBulkId }],
  ]);
  assert.equal(handled.length, 3);
});

test("a number that is none of ours is answered 404 and handled when it is ours after all", async () => {
  const known = new Set<string>();
  const { receiver, handled, rejected } = testReceiver({ isOurs: async (number) => known.has(number) });
  for (const [code, body, path] of kinds) {
    const answer = await deliver(receiver, sign(body, path && { path }));
    assert.deepEqual(answer.body, { responseCode: `404${code}01`, responseMessage: "Transaction Not Found" });
  }
  assert.deepEqual([handled.length, rejected.map(({ step }) => step)], [0, ["number", "number", "number"]]);
  known.add(rtgs.originalReferenceNo ?? "");
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.equal(handled.length, 1);
});

test("isOurs that throws, hangs, or answers anything but true: nothing is handled", async () => {
  const silent = () => new Promise<boolean>(() => undefined);
  for (const [isOurs, code] of [
    [() => Promise.reject(new Error("no database")), "5007600"],
    [silent, "5007600"],
    [() => "yes" as unknown as boolean, "4047601"],
  ] as const) {
    const { receiver, handled, rejected } = testReceiver({ isOurs, handlerTimeoutMs: 20 });
    assert.equal((await deliver(receiver, sign(rtgs))).responseCode, code);
    assert.deepEqual([handled.length, rejected[0]?.step], [0, "number"]);
  }
});

test("without a number of the provider isOurs is asked about ours; without both the notification is rejected", async () => {
  const { originalReferenceNo: _ours, ...body } = rtgs;
  const asked: string[] = [];
  const { receiver } = testReceiver({ isOurs: (number) => asked.push(number) > 0 });
  assert.equal((await deliver(receiver, sign(body))).responseCode, "2007600");
  assert.deepEqual(asked, [rtgs.originalPartnerReferenceNo]);
  const { originalPartnerReferenceNo: _theirs, ...nameless } = body;
  const { body: answer } = await deliver(receiver, sign(nameless));
  assert.equal(answer["responseMessage"], "Invalid Mandatory Field originalReferenceNo");
});
