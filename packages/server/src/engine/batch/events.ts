/** Events of the engine, for metrics and log lines. */
import type { TableLock } from "../../store/postgres/table-locks.ts";
import type { FailureClass } from "./error-class.ts";

export interface EngineEvents {
  /** A batch of `commands` was committed, `ms` after its first round trip left. */
  committed(commands: number, ms: number): void;
  /** A rejection of the partner was committed. */
  rejectionStored(partner: string): void;
  /** A batch or a connection attempt failed. */
  failed(kind: FailureClass, code: string | undefined): void;
  /** A command has an unknown outcome: its commit was sent and not answered. */
  unknown(commandId: string): void;
  /** A command was given back: PostgreSQL cannot write it now. */
  unavailable(error: unknown): void;
  /** Commands wait for a table that another session has locked. */
  tableLocked(lock: TableLock): void;
  /** A command failed alone: a bug, or a fault in its data. */
  poison(commandId: string, error: unknown): void;
}

export const noEvents: EngineEvents = {
  committed() {},
  rejectionStored() {},
  failed() {},
  unknown() {},
  unavailable() {},
  tableLocked() {},
  poison() {},
};
