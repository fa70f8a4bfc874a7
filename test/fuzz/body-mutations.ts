/** Spoils a body: its structure first, so that the reader of fields is reached, then its bytes, so that JSON's is. */
import { type Member, objectsOf, raw, toText, toTree, type Tree } from "./json-tree.ts";
import { oddKey, oddValue } from "./odd-values.ts";
import type { Random } from "./random.ts";

const spaces = ["", "", "", " ", "\n", "\r\n\t", "  "];

/** A body with one to three members gone wrong. */
export function spoilStructure(random: Random, body: object): Buffer {
  const tree = toTree(body);
  const faults = 1 + (random.chance(0.2) ? random.int(3) : 0);
  for (let fault = 0; fault < faults; fault += 1) spoilMember(random, random.pick(objectsOf(tree)).members);
  return Buffer.from(toText(tree, random.pick(spaces)));
}

function spoilMember(random: Random, members: Member[]): void {
  const index = random.int(members.length);
  const member = members[index];
  if (member === undefined) {
    members.push({ key: oddKey(random), value: raw(oddValue(random)) });
    return;
  }
  switch (random.int(9)) {
    case 0:
      members.splice(index, 1);
      return;
    case 1:
      // Twice: with the same value, and with another.
      members.push({ key: member.key, value: random.chance(0.5) ? member.value : raw(oddValue(random)) });
      return;
    case 2:
      member.key = oddKey(random);
      return;
    case 3:
      members.splice(index, 0, { key: oddKey(random), value: raw(oddValue(random)) });
      return;
    case 4:
      member.value = wrapped(random, member.value);
      return;
    default:
      member.value = raw(oddValue(random));
  }
}

function wrapped(random: Random, value: Tree): Tree {
  return random.chance(0.5)
    ? { kind: "list", items: Array.from({ length: 1 + random.int(3) }, () => value) }
    : { kind: "object", members: [{ key: '"value"', value }] };
}

const whole: readonly Buffer[] = [
  ["", " ", "\n\n", "null", "true", "5", '"x"', "[]", "{}", "[{}]", "{}{}", "{", "}", "{]", "\u0000", "undefined"],
  ["a=1&b=2", "<xml/>", "\ufeff{}", "{}\u0000", '{"a":1,}', "{'a':1}", "/**/{}", "{}//", '{"__proto__":{"a":1}}'],
].flatMap((texts) => texts.map((text) => Buffer.from(text)));

/** The same bytes but for some. */
export function spoilBytes(random: Random, body: Buffer): Buffer {
  const at = random.int(body.length + 1);
  const [before, after] = [body.subarray(0, at), body.subarray(at)];
  const odd = Buffer.from([
    random.pick([0x00, 0x0a, 0x20, 0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xed, 0xff]),
  ]);
  switch (random.int(10)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, odd, after]);
    case 2:
      return Buffer.concat([before, odd, after.subarray(1)]);
    case 3:
      return Buffer.concat([before, after.subarray(random.int(40))]);
    case 4:
      return Buffer.concat([before, random.bytes(1 + random.int(20)), after]);
    case 5:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    case 6:
      return Buffer.from(body.toString("utf8"), random.chance(0.5) ? "utf16le" : "latin1");
    case 7:
      return Buffer.concat([body, random.pick([odd, body, Buffer.from("}"), Buffer.from("\u0000")])]);
    case 8:
      return random.bytes(random.pick([1, 16, 300, 5_000]));
    default:
      return random.pick(whole);
  }
}
