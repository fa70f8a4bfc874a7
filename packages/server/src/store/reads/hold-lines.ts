/** What happened to a hold, as operators see it: its lines, each with the record of the call that made it. */
import type { Pool } from "pg";
import { type HoldLineKind, holdLineKinds } from "../../ledger/hold.ts";
import { type Minor, minor } from "../../ledger/money.ts";

export interface KeptHoldLine {
  readonly line: number;
  readonly kind: HoldLineKind;
  readonly amount: Minor;
  /** Id of the command: its number of ours is made of it. */
  readonly command: string;
  /** Code of the service that asked for it; an expiry is nobody's call. */
  readonly service: number | undefined;
  /** Number of the account the money reached, where it moved. */
  readonly toAccountNo: string | undefined;
  /** Of a refund: the command of the capture it gave back from. */
  readonly captureCommand: string | undefined;
  /** Business time (epoch ms). */
  readonly at: number;
}

const kindNames = new Map<number, HoldLineKind>(
  Object.entries(holdLineKinds).map(([name, number]) => [number, name as HoldLineKind]),
);

/** Newest first, those below line `before`; at most `limit`. */
export async function listHoldLines(
  pool: Pool,
  hold: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<readonly KeptHoldLine[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-hold-lines",
    text: `select l.line, l.kind, l.amount, l.command, w.service, w.facts::json ->> 'to', c.command,
        (extract(epoch from l.at) * 1000)::bigint
      from hold_lines l left join writes w on w.id = l.command
        left join hold_lines c on c.hold = l.hold and c.line = l.capture
      where l.hold = $1::uuid and l.line < $2::int order by l.line desc limit $3::int`,
    values: [hold, before, limit],
    rowMode: "array",
  });
  return rows.map(([line, kind, amount, command, service, to, capture, at]) => ({
    line: Number(line),
    kind: kindNames.get(Number(kind)) as HoldLineKind,
    amount: minor(BigInt(amount as string)),
    command: command as string,
    service: service === null ? undefined : Number(service),
    toAccountNo: to ?? undefined,
    captureCommand: capture ?? undefined,
    at: Number(at),
  }));
}

/** The hold that an accepted capture, void or refund of this id is about. */
export async function findHoldOfChange(pool: Pool, id: string): Promise<string | undefined> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "read-hold-of-change",
    text: "select facts::json ->> 'hold' from writes where id = $1::uuid and service in (65, 67, 69)",
    values: [id],
    rowMode: "array",
  });
  return rows[0]?.[0] ?? undefined;
}
