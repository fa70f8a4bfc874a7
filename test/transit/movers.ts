/** Two cells of one process, home and cell 1, and nodes that move accounts between them.  */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { MovedAccount } from "../../packages/server/src/ledger/reference/directory.ts";
import { listMovedAccounts } from "../../packages/server/src/store/tables/cells/moved-accounts.ts";
import { createAccountMover } from "../../packages/server/src/transit/account-mover.ts";
import { lostAccountsOf } from "../../packages/server/src/transit/lost-accounts.ts";
import type { MoveDeps, MoveEnd, MovingCell } from "../../packages/server/src/transit/move-deps.ts";
import { eventually } from "../support/black-box/answers.ts";
import { partner } from "../engine/transfers.ts";
import { type JoinedCells, joinCells } from "./joined-cells.ts";
import { asOwner, spoil } from "./transit-fixture.ts";

export const opening = 1_000_000;

export async function joinMovers() {
  /** Cells of the only partner, the time that movers see (ms), and the node whose copy of home the streams have. */
  const world: { partnerCells: number[]; monotonic: number; node?: MoveDeps } = { partnerCells: [0, 1], monotonic: 0 };
  const cells = await joinCells(2, {
    lostIn: (cell) => ({
      isHere: (accountNo) => world.node !== undefined && lostAccountsOf(world.node, cell).isHere(accountNo),
      open: async (accountNos) => world.node && lostAccountsOf(world.node, cell).open(accountNos),
    }),
  });
  const { pool: home } = cells.of(0);
  const { pool: other } = cells.of(1);

  const ends: MoveEnd[] = [];

  /** A node whose copy of home is as it was when it last read it. */
  const mover = (
    isSilent: (cell: number) => boolean = () => false,
    confirmed: MovingCell["confirmed"] = (work) => work(),
  ) => {
    let copy = new Map<string, MovedAccount>();
    let moved = new Map<string, number>();
    const refresh = async () => {
      const rows = await listMovedAccounts(home, "", 1_000);
      copy = new Map(rows.filter(({ movingTo }) => movingTo !== undefined).map((row) => [row.accountNo, row]));
      moved = new Map(rows.filter(({ hasMoved }) => hasMoved).map(({ accountNo, cell }) => [accountNo, cell]));
    };
    const deps: MoveDeps = {
      clock: { ...createClock(), monotonic: () => world.monotonic },
      cell: (number) => (isSilent(number) ? undefined : { ...cells.of(number), confirmed }),
      stream: cells.stream,
      partnerOf: () => ({
        key: partner,
        partnerId: "SHOP01",
        status: "active",
        cells: world.partnerCells.map((cell) => ({ cell })),
      }),
      cells: () => [0, 1],
      moved: () => moved,
      moving: () => copy,
      refresh,
      onEnd: (end) => void ends.push(end),
    };
    return { ...createAccountMover(deps), refresh, deps };
  };

  let moves = 0;
  /** As an approved act does it. */
  const announce = async (accountNo: string, to: number): Promise<number> => {
    moves += 1;
    const text = `insert into moved_accounts (account_no, cell, moving_to, act_id, number, version) values ($1, 1 - $2::int, $2, $3, $4, $4)
    on conflict (account_no) do update set moving_to = excluded.moving_to, refusal = null, number = excluded.number`;
    await asOwner(cells.of(0).ownerUrl, (client) => client.query(text, [accountNo, to, newId(), moves]));
    return moves;
  };

  /** Until none of the movers has anything left. */
  const runAll = async (...movers: readonly ReturnType<typeof mover>[]): Promise<void> => {
    for (const one of movers) await one.refresh();
    await eventually(async () => {
      world.monotonic += 10_000;
      await Promise.all(movers.map((one) => one.run()));
      return movers.every(({ deps }) => deps.moving().size === 0);
    }, 20);
  };

  const looks = lookAt(cells);
  return { announce, cells, ends, home, mover, other, runAll, world, ...looks };
}

function lookAt(cells: JoinedCells) {
  const statusIn = (cell: number, accountNo: string) =>
    asOwner(cells.of(cell).ownerUrl, async (client) => {
      const { rows } = await client.query<{ status: string }>("select status from accounts where account_no = $1", [
        accountNo,
      ]);
      return rows[0]?.status;
    });
  const statuses = async (accountNo: string) => [await statusIn(0, accountNo), await statusIn(1, accountNo)];
  /** The fixture has accounts of these numbers in both cells. */
  const forget = (accountNo: string) =>
    spoil(
      cells.of(1).ownerUrl,
      `delete from entries where account_id = (select id from accounts where account_no = '${accountNo}')`,
      `delete from accounts where account_no = '${accountNo}'`,
    );
  /** Credits it in home, as a refund of a payment of before does. */
  const credit = (accountNo: string, amount: number) =>
    spoil(
      cells.of(0).ownerUrl,
      `with a as (update accounts set balance = balance + ${amount}, version = version + 1 where account_no = '${accountNo}'
         returning id, version, balance)
       insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
       select id, version, '${newId()}', 4, 'IDR', ${amount}, balance, now() from a`,
    );
  const all = new Map([
    [0, cells.of(0).pool],
    [1, cells.of(1).pool],
  ]);
  return { all, credit, forget, statuses, statusIn };
}
