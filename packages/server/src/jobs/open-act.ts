/** Operators' acts on their way to the engine: proposed, and carried out once they are approved (docs/adr/0075-operators-acts.md). */
import type { StatementPool } from "../store/postgres/connect.ts";
import { type ActProposal, type ActState, proposeAct } from "../store/tables/acts.ts";

/** Time that an act waits for its approval. */
const lifetimeMs = 86_400_000;

export interface ClosedAct {
  readonly kind: "waitsForApproval" | "actOpen" | "actEnded";
  /** Sentence that says what it waits for or became, and what to do. */
  readonly message: string;
}

export type OpenedAct =
  /** To be carried out. */
  | { readonly kind: "approved"; readonly id: string }
  /** Carried out before. */
  | { readonly kind: "done"; readonly id: string }
  | ({ readonly id: string } & ClosedAct);

/** Proposes the act, on connections of an operator; one that is open on the record takes its place. */
export async function openAct(database: StatementPool, proposal: ActProposal): Promise<OpenedAct> {
  const { id, state, isSame } = await proposeAct(database, proposal, lifetimeMs);
  if (!isSame) {
    const message = `Nothing was proposed: another act on ${proposal.target} is open. Decide on it first: titian act show ${id}.`;
    return { id, kind: "actOpen", message };
  }
  if (state === "approved" || state === "done") return { id, kind: state };
  return { id, ...describeClosed(id, state) };
}

function describeClosed(id: string, state: Exclude<ActState, "approved" | "done">): ClosedAct {
  if (state === "proposed") {
    const message = `It waits for approval: nothing was changed yet. Another operator decides on it: titian act show ${id}.`;
    return { kind: "waitsForApproval", message };
  }
  const became = {
    refused: "was refused by the operator who decided on it",
    expired: "was approved by nobody in time",
    rejected: "could not be carried out",
  }[state];
  return { kind: "actEnded", message: `Nothing was changed: the act ${became} (titian act show ${id}). Propose it anew.` };
}

/** An act that is not carried out now, and why. */
export class ActNotApproved extends Error {
  override readonly name = "ActNotApproved";
  readonly kind: ClosedAct["kind"];
  constructor({ kind, message }: ClosedAct) {
    super(message);
    this.kind = kind;
  }
}
