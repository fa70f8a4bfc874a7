/** Events of dispatch, for metrics and log lines. */
import type { RailName } from "../ledger/rails/terms.ts";
import type { TransferEvent } from "../ledger/transfers/states.ts";
import type { RailState } from "./rail.ts";

export interface DispatchEvents {
  /** A call to a rail failed: no response in time, or an invalid one. */
  callFailed(rail: RailName, error: unknown): void;
  /** The circuit of account inquiries opened or closed. */
  circuit(rail: RailName, isOpen: boolean): void;
  /** A transfer (id) was not submitted: its commit was too long ago. It stays due. */
  late(rail: RailName, id: string): void;
  /** Processing a transfer (id) failed on this node: it stays due. */
  failed(rail: RailName, id: string, error: unknown): void;
  /** The commit of a claim was not confirmed: so many items of bulks, at least, are not sent until the claim ends. */
  unconfirmed(items: number): void;
  recorded(rail: RailName, event: TransferEvent): void;
  /** A rail reported a status that conflicts with the final one, which does not change; once each. */
  statusConflict(rail: RailName, referenceNo: string, status: RailState["kind"]): void;
  /** A result names no transfer of ours and was set aside; once each. */
  unknownResult(rail: RailName, referenceNo: string): void;
  /** A result could not be set aside. */
  notSetAside(result: ResultNotSetAside, error: unknown): void;
}

export interface ResultNotSetAside {
  readonly rail: RailName;
  readonly referenceNo: string;
  readonly state: RailState["kind"];
  readonly traceNo: string | undefined;
  /** It is not acknowledged, so that the rail reports it again. False: this may have been the only time. */
  readonly comesAgain: boolean;
}
