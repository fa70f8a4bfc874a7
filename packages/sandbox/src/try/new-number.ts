/** Numbers that a partner's system would make up: of digits, so that every partner may use them as an external id too. */
import { isObject, operationRows } from "@titian/contract";
import { newSecret } from "@titian/server/admin";

/** 20 digits. */
export function newNumber(): string {
  const digits = Buffer.from(newSecret(8), "base64url").readBigUInt64BE();
  return digits.toString().padStart(20, "0");
}

type Body = Readonly<Record<string, unknown>>;

/** Fields that a partner's system numbers its calls by. */
export const numbers: ReadonlySet<string> = new Set(operationRows.flatMap(({ about }) => about.partnerNumber ?? []));

/** The body of a write with other numbers, in its items too: another call of the same content. */
export function withNewNumbers(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      numbers.has(name) ? newNumber() : Array.isArray(value) ? value.map(renewEntry) : value,
    ]),
  );
}

const renewEntry = (entry: unknown): unknown => (isObject(entry) ? withNewNumbers(entry) : entry);
