/** A body with its members in other orders than it was sent with, or without one: hashed from one map, sent from another. */
import { isObject } from "@titian/contract";
import { readUsual, spaceOut } from "./written-json.ts";

type Members = Readonly<Record<string, unknown>>;
type Write = (value: unknown) => string;

/** Longer bodies take too long to write some hundred times. */
const bodyMax = 2_048;
/** Characters that are written for one explanation: an ordinary body in some 800 orders. */
const charactersMax = 200_000;
/** So many members are tried in each of their orders (720); of more, one is moved, or two are exchanged. */
const allOrdersMax = 6;

const writers: readonly Write[] = [
  (value) => JSON.stringify(value),
  spaceOut,
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 4),
];

/** `fields`: names in the order of the service's description. Texts are written as the body is. */
export function* memberOrders(body: Uint8Array, fields: readonly string[]): Iterable<string> {
  const { value, write } = readMembers(body);
  if (Object.keys(value).length === 0) return;
  let left = charactersMax;
  for (const members of [value, withInnerReversed(value)]) {
    for (const names of orders(Object.keys(value), fields)) {
      const text = write(Object.fromEntries(names.map((name) => [name, members[name]])));
      left -= text.length;
      if (left < 0) return;
      yield text;
    }
  }
}

interface Shorter {
  readonly text: string;
  readonly leftOut: string;
}

const leftOutMax = 40;

/** A body without each of its members in turn, and without all that are null: they were added after it was hashed. */
export function* shorterBodies(body: Uint8Array): Iterable<Shorter> {
  const { value, write } = readMembers(body);
  const withOnly = (isKept: (name: string) => boolean) =>
    write(Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))));
  for (const leftOut of Object.keys(value).slice(0, leftOutMax)) {
    yield { text: withOnly((name) => name !== leftOut), leftOut };
  }
  const empty = Object.keys(value).filter((name) => value[name] === null);
  if (empty.length > 1) yield { text: withOnly((name) => value[name] !== null), leftOut: empty.join(", ") };
}

/** No members: the body is long, or no object. */
function readMembers(body: Uint8Array): { readonly value: Members; readonly write: Write } {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  const value = body.length > bodyMax ? undefined : readUsual(text);
  if (!isObject(value)) return { value: {}, write: JSON.stringify };
  return { value, write: writers.find((one) => one(value) === text) ?? JSON.stringify };
}

/** Amounts and other inner objects, as `currency` before `value`. */
function withInnerReversed(value: Members): Members {
  const reversed = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(reversed);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner)
        .toReversed()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reversed(member)]));
}

/** The order of the body first, for what is in its members. */
function* orders(names: readonly string[], fields: readonly string[]): Iterable<readonly string[]> {
  yield names;
  yield names.toSorted((a, b) => placeOf(a, fields) - placeOf(b, fields));
  yield names.toReversed();
  yield names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  if (names.length <= allOrdersMax) yield* permutations(names);
  else yield* nearOrders(names);
}

function placeOf(name: string, fields: readonly string[]): number {
  const at = fields.indexOf(name);
  return at < 0 ? fields.length : at;
}

function* permutations(names: readonly string[]): Iterable<readonly string[]> {
  if (names.length <= 1) {
    yield names;
    return;
  }
  for (const [at, first] of names.entries()) {
    for (const rest of permutations(names.toSpliced(at, 1))) yield [first, ...rest];
  }
}

/** One member elsewhere, or two exchanged. */
function* nearOrders(names: readonly string[]): Iterable<readonly string[]> {
  for (const [from, name] of names.entries()) {
    const others = names.toSpliced(from, 1);
    for (let to = 0; to <= others.length; to += 1) yield others.toSpliced(to, 0, name);
    for (const [to, other] of names.slice(0, from).entries()) yield names.with(from, other).with(to, name);
  }
}
