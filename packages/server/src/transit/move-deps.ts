/** Cells of a node, as moves of accounts reach them. */
import type { Clock } from "../basics/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { MovedAccount } from "../ledger/reference/directory.ts";
import type { PartnerTerms } from "../ledger/reference/reference-data.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import type { TransitShipper } from "./ship-transit.ts";

export interface MovingCell {
  readonly engine: Pick<Engine, "submit">;
  readonly pool: StatementPool;
  /** Gives what was read or written once nothing of it can be lost any more (`Confirmations`). */
  confirmed<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface MoveDeps {
  readonly clock: Clock;
  /** Undefined: this node does not serve it now. */
  cell(number: number): MovingCell | undefined;
  stream(from: number, to: number): Pick<TransitShipper, "isStopped" | "poke" | "waitForMirror"> | undefined;
  /** By internal id. */
  partnerOf(key: string): PartnerTerms | undefined;
  /** Numbers of all cells, home among them. */
  cells(): readonly number[];
  /** Cells of accounts that home says were moved, by their numbers. */
  moved(): ReadonlyMap<string, number>;
  /** Accounts that home says are moving, by their numbers. */
  moving(): ReadonlyMap<string, MovedAccount>;
  /** Makes a change of home known to this node. */
  refresh(): Promise<void>;
  onEnd(end: MoveEnd): void;
}

export interface MoveEnd {
  readonly accountNo: string;
  readonly from: number;
  readonly to: number;
  /** The reason why it stays; absent: it has moved. */
  readonly refusal?: string | undefined;
}
