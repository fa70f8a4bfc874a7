/** Values that a reader of JSON, of money, of times or of texts may stumble over, as JSON text or what looks like it. */
import type { Random } from "./random.ts";

const others: readonly string[] = [
  ["null", "true", "false", "0", "-0", "1", "-1", "0.1", "1e3", "1e999", "-1e-999", "12345678901234567890123456789"],
  ["01", "1.", ".5", "+1", "0x10", "1_000", "NaN", "Infinity", "-Infinity", "undefined", "'x'", '"open', "`x`", ""],
  ["[]", "{}", "[null]", "[[]]", "[{}]", '{"":""}', '{"value":"1.00"}', '{"currency":"IDR"}', "[1,2", "{,}", "[,]"],
].flat();

const texts: readonly string[] = [
  ["", " ", "\t", "\n", "0", "null", "true", "TRUE", "IDR", "idr", "USD", "XXX", "١٢٣", "１２３", "−1", "½"],
  ["-1.00", "+1.00", "1e3", "1,00", "1.", ".5", "1.000", "00.00", "0.00", "0.001", "99999999999999999.99"],
  ["9999999999999999.99", "9999999999999999", "1.0e1", " 1.00", "1.00 ", "0x1F", "1_0", "NaN", "Infinity"],
  [
    "2026-02-30T00:00:00+07:00",
    "2026-11-21T24:00:00+07:00",
    "2026-11-21",
    "20261121T100000Z",
    "now",
    "0000-00-00T00:00:00Z",
  ],
  ["9999-12-31T23:59:59Z", "2026-11-21T10:00:00+99:99", "+275760-09-13T00:00:00Z", "2026-11-21T10:00:60+07:00"],
  [
    "'; drop table accounts; --",
    "$1",
    "%s%n",
    "{{7*7}}",
    "../../etc/passwd",
    "<script>",
    "${jndi:ldap://x}",
    "\\",
    '"',
  ],
  [
    "\u0000",
    "a\u0000b",
    "\u001d",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u200b",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\uffff",
    "é",
    "e\u0301",
  ],
  ["😀", "👩‍👩‍👧‍👦", "ﷺ", "İ", "ß", "__proto__", "constructor", "toString", "17", "36", "99"],
].flat();

/** JSON texts of half surrogates, spelled out: JSON.stringify would escape them for us. */
const halves: readonly string[] = ['"\\ud800"', '"\\udc00\\ud800"', '"\\udfffx"', '"\\ud83d"', '"\\uD83D\\u0041"'];
const broken: readonly string[] = ['"\\x41"', '"\\u12"', '"\\u00zz"', '"\\', '"a\nb"', '"a\u0000b"', '"\\u0000"'];

export function oddValue(random: Random): string {
  switch (random.int(8)) {
    case 0:
    case 1:
      return random.pick(others);
    case 2:
    case 3:
      return JSON.stringify(random.pick(texts));
    case 4:
      return random.pick(random.chance(0.5) ? halves : broken);
    case 5:
      return JSON.stringify(longText(random));
    case 6:
      return deep(random);
    default:
      return large(random);
  }
}

/** Around the lengths fields have, and far beyond. */
function longText(random: Random): string {
  const length = random.pick([3, 11, 17, 20, 31, 33, 35, 37, 51, 65, 101, 151, 257, 1_025, 9_000]);
  return random.pick(["x", "7", " ", "é", "😀", "\u0301", "\\", "\u202e"]).repeat(length);
}

function deep(random: Random): string {
  const depth = random.pick([2, 13, 14, 15, 16, 17, 64, 1_000, 9_000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"a":', "}]"],
  ] as const);
  // Now and then left open.
  return `${open.repeat(depth)}${random.pick(["1", "", '""'])}${random.chance(0.2) ? "" : close.repeat(depth)}`;
}

function large(random: Random): string {
  const count = random.pick([50, 101, 2_000, 12_000]);
  return random.pick([
    `[${"1,".repeat(count)}1]`,
    `{${keys(count)}}`,
    `[${"{},".repeat(count)}{}]`,
    `"${"x".repeat(count * 6)}"`,
  ]);
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join();
}

/** Names of members, with their quotes. */
export function oddKey(random: Random): string {
  return random.pick(
    [
      ['"__proto__"', '"constructor"', '"prototype"', '"toString"', '"hasOwnProperty"', '""', '" "', '"\\u0000"'],
      ['"\\u005f\\u005fproto__"', '"\\u0061mount"', '"AMOUNT"', '"amount "', '"value"', '"\\ud800"', "5", "null", "a"],
      `"${"k".repeat(random.pick([65, 300, 5_000]))}"`,
    ].flat(),
  );
}
