import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../../vectors/notification-bodies.json" with { type: "json" };
import { canonicalize, compareUtf8, writeCanonicalJson } from "./canonical-json.ts";

type Node = string | readonly Node[] | ReadonlyMap<string, Node>;

/** A parser of its own: scalars stay text, of a number as it was spelled. */
function parseTokens(text: string): Node {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}]/g) ?? [];
  const read = (): Node => {
    const token = tokens.shift() ?? assert.fail("the text ends");
    if (token === "[") return readList();
    if (token === "{") return readObject();
    return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
  };
  const readList = (): Node => {
    const entries: Node[] = [];
    while (tokens[0] !== "]") entries.push(read());
    tokens.shift();
    return entries;
  };
  const readObject = (): Node => {
    const members = new Map<string, Node>();
    while (tokens[0] !== "}") members.set(JSON.parse(tokens.shift() ?? ""), read());
    tokens.shift();
    return members;
  };
  return read();
}

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isIndex = (key: string) => /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < 2 ** 32 - 1;
const asJavaScript = (a: string, b: string) => {
  if (isIndex(a) && isIndex(b)) return Number(a) - Number(b);
  return Number(isIndex(b)) - Number(isIndex(a)) || inBytes(a, b);
};

/** Writes JSON as a receiver with sorted maps does. */
function rewrite(node: Node, compare: (a: string, b: string) => number): string {
  if (typeof node === "string") return node;
  if (node instanceof Map) {
    const members = [...(node as ReadonlyMap<string, Node>)].sort(([a], [b]) => compare(a, b));
    return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${rewrite(value, compare)}`).join(",")}}`;
  }
  return `[${(node as readonly Node[]).map((entry) => rewrite(entry, compare)).join(",")}]`;
}

const fixedPoint = fc.constantFrom("0", "1", "-7", "1.5", "0.1", "1e+21", "1e-7", "123456789012");
const otherNumber = fc.constantFrom(
  "1.0",
  "-0",
  "1.10",
  "1e400",
  "1E5",
  "1e2",
  "12345678901234567890",
  "0.1e-7",
  "-0.0",
);
const word = fc.constantFrom("a", "B", "é", "\uffee", "😀", "/", '"', "\\", "\n", "", " ", "2", "10");
const plainKey = fc.constantFrom("order", "Ａ", "é", "😀", "\ue000", "a", "aa", "~", "x10", "", "!", "-1", "partnerId");
const indexKey = fc.constantFrom("2", "10", "01", "0", "4294967294", "4294967295", "-1");
/** A text as a sender may spell it, any of its characters escaped. */
const spelled = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(text, { maxLength: 3 }), fc.boolean())
    .map(([parts, isEscaped]) => spell(parts.join(""), isEscaped));

function spell(text: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}

function documents(number: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const list = (texts: readonly string[], open: string, close: string) => `${open} ${texts.join(" ,\n")}\t${close}`;
  const members = (value: fc.Arbitrary<string>) =>
    fc.uniqueArray(fc.tuple(key, fc.boolean(), value), { maxLength: 6, selector: ([name]) => name }).map((pairs) =>
      list(
        pairs.map(([name, isEscaped, text]) => `${spell(name, isEscaped)} : ${text}`),
        "{",
        "}",
      ),
    );
  return fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      number,
      spelled(word),
      fc.constantFrom("true", "null"),
      fc.array(tie("value"), { maxLength: 3 }).map((texts) => list(texts, "[", "]")),
      members(tie("value")),
    ),
  })).value;
}

const anyNumber = fc.oneof(fixedPoint, otherNumber);

test("keys are in the order of JavaScript, numbers as they were spelled, and written again it is the same", () => {
  fc.assert(
    fc.property(documents(anyNumber, fc.oneof(plainKey, indexKey)), (text) => {
      const written = canonicalize(text);
      assert.equal(written, rewrite(parseTokens(text), asJavaScript));
      assert.equal(canonicalize(written), written);
      assert.deepEqual(JSON.parse(written), JSON.parse(text));
    }),
  );
});

test("without integer-like keys a receiver with maps sorted by bytes (Go, Rust) writes the same bytes", () => {
  fc.assert(
    fc.property(documents(anyNumber, plainKey), (text) => {
      const written = canonicalize(text);
      assert.equal(rewrite(parseTokens(written), inBytes), written);
    }),
  );
});

test("without numbers that a double changes a receiver in JavaScript writes the same bytes", () => {
  fc.assert(
    fc.property(documents(fixedPoint, fc.oneof(plainKey, indexKey)), (text) => {
      const written = canonicalize(text);
      assert.equal(JSON.stringify(JSON.parse(written)), written);
      assert.equal(writeCanonicalJson(JSON.parse(text)), written);
    }),
  );
});

test("a member as large and deep as a request may have is written whole", () => {
  const deep = (inner: string) => `${'{"b":0,"a":'.repeat(15)}${inner}${"}".repeat(15)}`;
  const isWritten = (text: string) => assert.equal(canonicalize(text), rewrite(parseTokens(text), asJavaScript));
  isWritten(deep(`[${Array.from({ length: 32_000 }, () => "0").join(" ,")}]`));
  isWritten(deep(`{${Array.from({ length: 6_000 }, (_, at) => `"${(at * 7_919) % 6_000}":1.0`).join(",")}}`));
  isWritten(deep(`{${Array.from({ length: 64 }, (_, at) => `"${"k".repeat(1_000)}${63 - at}":""`).join(",")}}`));
});

test("a text that is no JSON has an end, too", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[[\]{}:,"\\ 1a]*$/), (text) => {
      try {
        canonicalize(text);
      } catch (error) {
        assert.ok(error instanceof SyntaxError);
      }
    }),
  );
});

test("texts are compared by their bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      assert.equal(Math.sign(compareUtf8(a, b)), Math.sign(inBytes(a, b)));
    }),
  );
});

for (const { name, input, output, sha256, isSortedByBytes } of vectors.canonical) {
  test(`vector: ${name}`, () => {
    assert.equal(canonicalize(input), output);
    assert.equal(createHash("sha256").update(output).digest("hex"), sha256);
    assert.equal(rewrite(parseTokens(output), inBytes) === output, isSortedByBytes);
  });
}
