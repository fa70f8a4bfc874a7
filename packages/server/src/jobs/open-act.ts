/** Operators' acts on their way to the engine: proposed, and carried out once they are approved (docs/adr/0075-operators-acts.md). */
import { actJournalKinds } from "../ledger/accounts/act-journal.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  type ActProposal,
  type ActState,
  applyAct,
  type DataActKind,
  findRejection,
  proposeAct,
} from "../store/tables/acts.ts";

const actsLocked = "another operator's transaction holds the acts. Repeat it once that has ended.";

/** Time that an act waits for its approval. */
const lifetimeMs = 86_400_000;

export interface ClosedAct {
  readonly kind: "waitsForApproval" | "actOpen" | "actEnded" | "reasonMissing" | "notPermitted";
  /** Sentence that says what it waits for or became, and what to do. */
  readonly message: string;
  /** The act that waits, stands in the way, or has ended; absent where there is none. */
  readonly actId?: string;
}

export type OpenedAct =
  /** To be carried out. */
  | { readonly kind: "approved"; readonly id: string }
  /** Carried out before. */
  | { readonly kind: "done"; readonly id: string }
  | ClosedAct;

/** Whoever opens acts. */
export interface ActOpener {
  /** An operator's connections. */
  readonly database: StatementPool;
  /** True: what is approved is left to the job of a node. Absent: it is for its proposer to carry out. */
  readonly isCarriedOutLater?: boolean;
}

/** Proposes the act; one that is open on the record takes its place. */
export async function openAct(
  { database, isCarriedOutLater = false }: ActOpener,
  proposal: ActProposal,
): Promise<OpenedAct> {
  try {
    const { id, state, isSame } = await proposeAct(database, proposal, lifetimeMs);
    if (isSame && state === "approved" && isCarriedOutLater)
      return { kind: "waitsForApproval", message: "It is approved: a node carries it out within seconds.", actId: id };
    if (state === "approved" || state === "done") {
      if (isSame) return { id, kind: state };
    } else if (isSame) return describeClosed(id, state);
    return { kind: "actOpen", message: describeOther(proposal, id, state), actId: id };
  } catch (error) {
    return explainDenied(error, proposal);
  }
}

interface DataActProposal extends ActProposal {
  readonly kind: DataActKind;
  /** True: it is done with its proposal, and approved later. */
  readonly isAtOnce: boolean;
}

/** `message`: sentence about an act that was done at once and waits for its approval. */
export type ChangedByAct = { readonly kind: "done"; readonly id: string; readonly message?: string } | ClosedAct;

/** Proposes an act that changes data and moves no money, and carries it out once it is approved, or at once. */
export async function changeByAct(
  database: StatementPool,
  { isAtOnce, ...proposal }: DataActProposal,
): Promise<ChangedByAct> {
  const act = await openAct({ database }, proposal);
  if (isAtOnce && act.kind === "waitsForApproval") {
    return { kind: "done", id: proposal.id, message: describeAtOnce(proposal.id) };
  }
  if (act.kind !== "approved") return act;
  const state = await applyAct(database, act.id);
  if (state === "done") return { kind: "done", id: act.id };
  const found = state === "rejected" ? await findRejection(database, act.id) : undefined;
  const because = found === undefined ? `the act is ${state}` : withoutNumber(found, proposal);
  return { kind: "actEnded", message: `Nothing was changed: ${because} (titian act show ${act.id}).`, actId: act.id };
}

/** Sentence about an act that was done at once and waits for its approval. */
export const describeAtOnce = (id: string): string =>
  `It is done, and stands until another operator decides on it, within the day: titian act show ${id}.`;

/** A sentence of the database that names the account, whose number may be masked for the caller. */
const withoutNumber = (sentence: string, { target }: Pick<ActProposal, "target">): string =>
  sentence.replaceAll(`account ${target}`, "the account");

function describeOther({ kind, reference }: ActProposal, id: string, state: ActState): string {
  const other = "Nothing was proposed: another act on it";
  if (state === "proposed") return `${other} waits for approval. Decide on it first: titian act show ${id}.`;
  if (state === "approved")
    return `${other} is approved, and waits for a node or its rail. To take it back: titian act refuse ${id} --reason <text>.`;
  const used = actJournalKinds.some((one) => one === kind) ? `the reference ${reference}` : "this id";
  return `Nothing was proposed: another act has used ${used} (titian act show ${id}). Use another one.`;
}

/** The database says who may propose, and that an act has a reason. @throws the error where it is another. */
function explainDenied(error: unknown, proposal: ActProposal): ClosedAct {
  const { code, message } = error instanceof Error && "code" in error ? error : { code: undefined, message: "" };
  if (code === "42501" && message.startsWith("permission denied")) throw error;
  if (code === "42501") return { kind: "notPermitted", message: `Nothing was proposed: ${message}.` };
  if (code === "55P03") return { kind: "actOpen", message: `Nothing was proposed: ${actsLocked}` };
  // An act at once has found other data than its proposer saw.
  if (code === "23001")
    return { kind: "actOpen", message: `Nothing was changed: ${withoutNumber(message, proposal)}.` };
  if (code === "22023" && message === "an act has a reason")
    return {
      kind: "reasonMissing",
      message: "Nothing was proposed: say why, since operators are in charge (titian operators list).",
    };
  throw error;
}

function describeClosed(id: string, state: Exclude<ActState, "approved" | "done">): ClosedAct {
  if (state === "proposed") {
    const message = `It waits for approval: nothing was changed yet. Another operator decides on it: titian act show ${id}.`;
    return { kind: "waitsForApproval", message, actId: id };
  }
  const became = {
    refused: "was refused by the operator who decided on it",
    expired: "was approved by nobody in time",
    rejected: "could not be carried out",
  }[state];
  return {
    kind: "actEnded",
    actId: id,
    message: `Nothing was changed: the act ${became} (titian act show ${id}). Propose it anew, with a new reference or id.`,
  };
}

/** An act that is not carried out now, and why. */
export class ActNotApproved extends Error {
  override readonly name = "ActNotApproved";
  readonly kind: ClosedAct["kind"];
  readonly actId?: string;
  constructor({ kind, message, actId }: ClosedAct) {
    super(message);
    this.kind = kind;
    if (actId !== undefined) this.actId = actId;
  }
}
