/** What dispatch tells of itself: figures and log lines are made of it elsewhere. */
import type { RailName } from "../ledger/rails/terms.ts";
import type { TransferEvent } from "../ledger/transfers/states.ts";

export interface DispatchEvents {
  /** A call to a rail failed: no answer in time, or an invalid one. */
  callFailed(rail: RailName, error: unknown): void;
  /** Whether inquiries of callers about accounts are answered without asking the rail, because it is silent. */
  circuit(rail: RailName, isOpen: boolean): void;
  /** A transfer (id) was not handed over: too much time has passed since the commit that said so. It stays due. */
  late(rail: RailName, id: string): void;
  /** Processing a transfer (id) failed on this node: it stays due. */
  failed(rail: RailName, id: string, error: unknown): void;
  recorded(rail: RailName, event: TransferEvent): void;
  /** A rail reported a status that conflicts with the final one, which does not change. */
  statusConflict(rail: RailName, referenceNo: string, event: TransferEvent): void;
  /** A result names no transfer of ours. */
  unknownResult(rail: RailName, referenceNo: string): void;
}
