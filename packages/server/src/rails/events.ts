/** What dispatch tells of itself: figures and log lines are made of it elsewhere. */
import type { RailName } from "../ledger/rail.ts";
import type { TransferEvent } from "../ledger/transfer-states.ts";

export interface DispatchEvents {
  /** A rail did not answer in time, or answered nonsense. */
  silent(rail: RailName, error: unknown): void;
  /** Whether inquiries of callers about accounts are answered without asking the rail, because it is silent. */
  circuit(rail: RailName, isOpen: boolean): void;
  /** A transfer (id) was not handed over: too much time has passed since the commit that said so. It stays due. */
  late(rail: RailName, id: string): void;
  /** Looking after a transfer has failed here, whatever its rail does: it stays due. */
  failed(rail: RailName, error: unknown): void;
  recorded(rail: RailName, event: TransferEvent): void;
  /** A rail says otherwise than it did before; the first word stands. */
  contradicted(referenceNo: string, event: TransferEvent): void;
  /** A result names no transfer of ours. */
  unknownResult(rail: RailName, referenceNo: string): void;
}
