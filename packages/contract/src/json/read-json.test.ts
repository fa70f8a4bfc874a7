import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { operations } from "../operations.ts";
import type { JsonFault } from "./json-fault.ts";
import { readJson } from "./read-json.ts";

const row = operations.authPayment;
const bulk = operations.interbankBulkTransfer;
const read = (text: string) => readJson(Buffer.from(text, "utf8"), row);

function faultOf(bytes: Uint8Array): JsonFault | undefined {
  const result = readJson(bytes, row);
  return result.ok ? undefined : result.reason;
}

const slicesOf = (result: ReturnType<typeof readJson>): Record<string, string> => {
  assert.ok(result.ok);
  return Object.fromEntries([...result.freeForm].map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")]));
};

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

test("anything but one strict JSON object is rejected with its reason", () => {
  const cases: readonly (readonly [string, JsonFault])[] = [
    ["", "syntax"],
    ["  ", "syntax"],
    ["{", "syntax"],
    ["{}{}", "syntax"],
    ["{} x", "syntax"],
    ['{"a":1,}', "syntax"],
    ["{a:1}", "syntax"],
    ["{'a':1}", "syntax"],
    ['{"a":01}', "syntax"],
    ['{"a":"\\x"}', "syntax"],
    ['{"a":"\\u12"}', "syntax"],
    ['{"a":"b\nc"}', "syntax"],
    ['{"a":NaN}', "syntax"],
    ['{"a":1]', "syntax"],
    ['{"a"}', "syntax"],
    ["\u00a0{}", "syntax"],
    ["not json", "syntax"],
    ["[", "syntax"],
    ["[]", "notObject"],
    ['"a"', "notObject"],
    ["null", "notObject"],
    ["5", "notObject"],
    ["\ufeff{}", "byteOrderMark"],
    [nested(17), "tooDeep"],
    [`{"a":${"[".repeat(16)}${"]".repeat(16)}}`, "tooDeep"],
    ['{"a":1,"a":1}', "duplicateKey"],
    ['{"a":1,"\\u0061":2}', "duplicateKey"],
    ['{"a":{"b":[{"c":1,"d":2,"c":3}]}}', "duplicateKey"],
    ['{"":1,"":2}', "duplicateKey"],
    ['{"__proto__":1}', "forbiddenKey"],
    ['{"a":[{"\\u005f_proto__":{}}]}', "forbiddenKey"],
    ['{"a":"\\ud800"}', "loneSurrogate"],
    ['{"a":"\\udc00\\ud800"}', "loneSurrogate"],
    ['{"a":"\\ud83d\\u0041"}', "loneSurrogate"],
    ['{"a":"\\ud83dx"}', "loneSurrogate"],
    ['{"\\uDfff":1}', "loneSurrogate"],
  ];
  for (const [text, reason] of cases) assert.equal(faultOf(Buffer.from(text, "utf8")), reason, text.slice(0, 40));
});

test("bytes that are not UTF-8 are rejected", () => {
  const sequences = [[0x80], [0xc3], [0xc0, 0xaf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff]];
  for (const sequence of sequences) {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(sequence), Buffer.from('"}')]);
    assert.equal(faultOf(bytes), "encoding", String(sequence));
  }
});

test("allowed values are read", () => {
  assert.deepEqual(read(' {"a" : "\\ud83d\\ude00 \\u00e9 \\/ \\\\", "constructor": {"toString": null}} \n'), {
    ok: true,
    value: { a: "\u{1f600} é / \\", constructor: { toString: null } },
    freeForm: new Map(),
    hasOuterWhitespace: true,
  });
  const deepest = read(nested(16));
  assert.ok(deepest.ok && !deepest.hasOuterWhitespace);
  assert.ok(read('{"a":{"b":1},"b":{"b":1},"c":[{"b":1},{"b":1}]}').ok);
});

test("white space outside strings is reported anywhere", () => {
  for (const text of [' {"a":1}', '{ "a":1}', '{"a" :1}', '{"a":\t1}', '{"a":[1,\n2]}', '{"a":1}\r']) {
    const result = read(text);
    assert.ok(result.ok && result.hasOuterWhitespace, JSON.stringify(text));
  }
  const compact = read('{"a":" b c ","d":[1,2]}');
  assert.ok(compact.ok && !compact.hasOuterWhitespace);
});

test("free-form members are kept byte for byte", () => {
  const text =
    '{"title":"x","items": [ 1.0, {"a":"\\u00e9é"} ] ,"additionalInfo":{"n":12345678901234567890, "e":1E2}\n}';
  assert.deepEqual(slicesOf(read(text)), {
    items: '[ 1.0, {"a":"\\u00e9é"} ]',
    additionalInfo: '{"n":12345678901234567890, "e":1E2}',
  });
});

test("free-form members of entries are found by their index", () => {
  const text =
    '{"bulkObject":[{"additionalInfo":{"a":[{},{"additionalInfo":0}]}},{"x":{"additionalInfo":9}},' +
    '{"bankCode":"1","addition\\u0061lInfo" : {"b":1} }],"additionalInfo":{"c":3}}';
  assert.deepEqual(slicesOf(readJson(Buffer.from(text), bulk)), {
    "bulkObject[0].additionalInfo": '{"a":[{},{"additionalInfo":0}]}',
    "bulkObject[2].additionalInfo": '{"b":1}',
    additionalInfo: '{"c":3}',
  });
});

test("only the table's free-form members are kept, and null is none", () => {
  assert.deepEqual(
    slicesOf(read('{"additionalInfo":null,"other":{"additionalInfo":{}},"merchantId":{"items":1}}')),
    {},
  );
  assert.deepEqual(slicesOf(readJson(Buffer.from('{"bulkObject":{"a":{"additionalInfo":1}}}'), bulk)), {});
  assert.deepEqual(slicesOf(read('{"items":"null"}')), { items: '"null"' });
});

test("a free-form member over the limit is rejected", () => {
  const body = (length: number) => Buffer.from(`{"additionalInfo":{"a":"${"x".repeat(length - 8)}"}}`);
  assert.ok(readJson(body(100), row, { maxFreeFormBytes: 100 }).ok);
  assert.deepEqual(readJson(body(101), row, { maxFreeFormBytes: 100 }), { ok: false, reason: "freeFormTooLarge" });
});

test("more values than a bulk can have, or more members of one object, are rejected before they are parsed", () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":0`).join();
  assert.ok(read(`{${members(10_000)}}`).ok);
  assert.equal(faultOf(Buffer.from(`{${members(10_001)}}`)), "tooManyValues");
  assert.equal(faultOf(Buffer.from(`{"a":[${"{},".repeat(250_000)}{}]}`)), "tooManyValues");
  assert.equal(faultOf(Buffer.from(`{"a":[${"0,".repeat(500_000)}0]}`)), "tooManyValues");
  assert.ok(read(`{"a":[${"0,".repeat(400_000)}0]}`).ok);
});

test("hostile bodies of 8 MiB end without overflow", () => {
  const mebibytes = 8 * 1024 * 1024;
  assert.equal(faultOf(Buffer.alloc(mebibytes, "[")), "syntax");
  assert.equal(faultOf(Buffer.alloc(mebibytes, '{"a":')), "tooDeep");
  assert.equal(faultOf(Buffer.alloc(mebibytes, '{"a":[')), "tooDeep");
  assert.equal(faultOf(Buffer.concat([Buffer.from("{"), Buffer.alloc(mebibytes, '"')])), "syntax");
  assert.equal(faultOf(Buffer.concat([Buffer.from('{"'), Buffer.alloc(mebibytes, "\\")])), "syntax");
  assert.equal(
    faultOf(Buffer.concat([Buffer.from("{"), Buffer.alloc(6 * 1_400_000, '"a":1,'), Buffer.from('"a":1}')])),
    "tooManyValues",
  );
});

test("one object with ten thousand keys is read, and a duplicate among them is found", () => {
  const members = Array.from({ length: 9_999 }, (_, i) => `"key-with-a-common-beginning-${i}":0`);
  assert.ok(read(`{${members.join(",")}}`).ok);
  assert.equal(faultOf(Buffer.from(`{${[...members, members[7_777]].join(",")}}`)), "duplicateKey");
});

/** Depth and forbidden keys by plain recursion: an independent second opinion on valid JSON. */
function expectedFault(value: unknown, depth = 1): JsonFault | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > 16) return "tooDeep";
  const inside = Object.values(value).map((member) => expectedFault(member, depth + 1));
  if (inside.includes("tooDeep")) return "tooDeep";
  return Object.keys(value).includes("__proto__") ? "forbiddenKey" : inside.find((reason) => reason !== undefined);
}

const key = fc.oneof(fc.string(), fc.constantFrom("additionalInfo", "items", "__proto__", "a", 'q"\\', "é\u{1f600}"));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 20, depthSize: "xlarge" },
    fc.jsonValue({ maxDepth: 0 }),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

test("valid JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.dictionary(key, json, { noNullPrototype: true }), fc.constantFrom(0, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const result = read(text);
      const expected = expectedFault(JSON.parse(text));
      if (expected !== undefined) assert.deepEqual(result, { ok: false, reason: expected });
      else assert.ok(result.ok && JSON.stringify(result.value) === JSON.stringify(JSON.parse(text)));
      if (result.ok) assert.equal(result.hasOuterWhitespace, text !== JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 300 },
  );
});

/** A key spelled with some of its characters escaped. */
const spelledKey = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "b", "é", "\u{1f600}"), maxLength: 2 }),
    fc.array(fc.boolean(), { maxLength: 8 }),
  )
  .map(([name, escapes]) => {
    const units = Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
    const spelled = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
    const isWhole = escapes[0] === true || /^[ab]*$/.test(name);
    const plain = (unit: number, i: number) =>
      escapes[i] === true || !isWhole ? spelled[i] : String.fromCharCode(unit);
    return { name, spelling: `"${units.map((unit, i) => (unit < 0x80 ? plain(unit, i) : spelled[i])).join("")}"` };
  });

test("a duplicate is found however its key is spelled", () => {
  fc.assert(
    fc.property(fc.array(spelledKey, { maxLength: 12 }), (keys) => {
      const result = read(`{"o":[{${keys.map(({ spelling }) => `${spelling}:[{}]`).join(",")}}]}`);
      assert.equal(result.ok, new Set(keys.map(({ name }) => name)).size === keys.length);
    }),
  );
});

test("bytes cut, changed or made up never throw, and are read only if JSON.parse reads the same", () => {
  const valid = Buffer.from(
    JSON.stringify({ ...row.example.request, additionalInfo: { a: ["é\u{1f600}", 1.5, null] } }),
  );
  const change = fc.tuple(
    fc.nat(valid.length - 1),
    fc.constantFrom(0x00, 0x20, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x2c, 0x80, 0xff),
  );
  const changed = fc.tuple(fc.array(change, { maxLength: 4 }), fc.nat(valid.length)).map(([changes, length]) => {
    const bytes = Buffer.from(valid);
    for (const [index, byte] of changes) bytes[index] = byte;
    return bytes.subarray(0, length > valid.length / 2 ? valid.length : length);
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed), (bytes) => {
      const result = readJson(bytes, row);
      if (result.ok) assert.deepEqual(result.value, JSON.parse(Buffer.from(bytes).toString("utf8")));
    }),
    { numRuns: 1_000 },
  );
});
