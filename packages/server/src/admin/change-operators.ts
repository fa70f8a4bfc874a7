/** Operators as others change them, by acts (docs/adr/0083-operators-by-acts.md). */
import { newId } from "../basics/ids.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findOperator, findOperatorBySubject, type Operator, operatorRoles } from "../store/tables/operators.ts";
import { type ActWords, findAtOnceNote, proposeChange } from "./reference/reference-act.ts";
import { type AdminResult, done, rejected } from "./result.ts";

export interface OperatorDeps {
  /** An operator's connections. */
  readonly database: StatementPool;
  readonly reads: StatementPool;
}

export interface OperatorInput {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Role of PostgreSQL by which the operator connects; absent: by the console and the command line alone. */
  readonly databaseRole?: string | undefined;
  readonly roles: readonly string[];
}

export interface ChangedOperator extends Operator {
  /** About a change that was made at once, and waits for its approval. */
  readonly note: string | undefined;
  /** Id of the act that `note` is about. */
  readonly actId?: string | undefined;
}

/** Adds an operator once another one has approved that. */
export async function addOperator(
  deps: OperatorDeps,
  input: OperatorInput & ActWords,
): Promise<AdminResult<ChangedOperator>> {
  const { issuer, subject, name, databaseRole } = input;
  const odd = [subject, name, databaseRole ?? ""].find((text) => !text.isWellFormed());
  if (odd !== undefined) return rejected("invalidField", "A name has half a character in it.", "name");
  const roles = [...new Set(input.roles)];
  const unknown = roles.find((role) => !operatorRoles.includes(role));
  if (unknown !== undefined) return noSuchRole(unknown);
  const known = await findOperatorBySubject(deps.reads, issuer, subject);
  if (known) return rejected("invalidField", `${issuer} ${subject} is an operator already: ${known.id}.`, "subject");
  const id = newId();
  const after = { issuer, subject, name, ...(databaseRole !== undefined && { databaseRole }), roles };
  return change(deps, id, input, { kind: "operatorAddition", after, isAtOnce: false });
}

/** Gives a role once another operator has approved that; one that is held already stays. */
export async function grantRole(
  deps: OperatorDeps,
  id: string,
  role: string,
  words: ActWords,
): Promise<AdminResult<ChangedOperator>> {
  const found = await findActive(deps, id, role);
  if (!found.ok) return found;
  if (found.value.roles.includes(role)) return done({ ...found.value, note: undefined });
  return change(deps, id, words, { kind: "roleGrant", after: { role }, isAtOnce: false });
}

/** Takes a role at once. */
export async function removeRole(
  deps: OperatorDeps,
  id: string,
  role: string,
  words: ActWords,
): Promise<AdminResult<ChangedOperator>> {
  const found = await findActive(deps, id, role);
  if (!found.ok) return found;
  if (!found.value.roles.includes(role)) {
    const note = await findAtOnceNote(deps.reads, { kind: "roleRemoval", target: id, reference: role });
    return done({ ...found.value, ...note });
  }
  return change(deps, id, words, { kind: "roleRemoval", after: { role }, isAtOnce: true });
}

/** Ends an operator at once: no door lets him or her in any more. */
export async function endOperator(
  deps: OperatorDeps,
  id: string,
  words: ActWords,
): Promise<AdminResult<ChangedOperator>> {
  const found = await find(deps, id);
  if (!found.ok) return found;
  if (found.value.isEnded)
    return done({ ...found.value, ...(await findAtOnceNote(deps.reads, { kind: "operatorEnding", target: id })) });
  return change(deps, id, words, { kind: "operatorEnding", after: {}, isAtOnce: true });
}

type Change = Pick<Parameters<typeof proposeChange>[1], "kind" | "after" | "isAtOnce">;

async function change(
  deps: OperatorDeps,
  target: string,
  words: ActWords,
  { after, ...act }: Change,
): Promise<AdminResult<ChangedOperator>> {
  // Acts on two roles of one operator may be open at once.
  const reference = "role" in after ? String(after.role) : "";
  const { reason, ticket } = words;
  const proposal = { ...act, target, reference, before: undefined, after, reason, ticket };
  const changed = await proposeChange(deps, proposal, async (note, actId) => ({
    note,
    actId,
    found: await find(deps, target),
  }));
  if (!changed.ok) return changed;
  const { note, actId, found } = changed.value;
  return found.ok ? done({ ...found.value, note, actId }) : found;
}

async function findActive(deps: OperatorDeps, id: string, role: string): Promise<AdminResult<Operator>> {
  if (!operatorRoles.includes(role)) return noSuchRole(role);
  const found = await find(deps, id);
  if (found.ok && found.value.isEnded)
    return rejected("invalidField", `The operator ${found.value.name} has ended.`, "operatorId");
  return found;
}

async function find({ reads }: OperatorDeps, id: string): Promise<AdminResult<Operator>> {
  const found = await findOperator(reads, id);
  if (found) return done(found);
  return rejected("unknownOperator", `There is no operator ${id}.`, "operatorId");
}

function noSuchRole(role: string) {
  return rejected("invalidField", `There is no role ${role}; there are ${operatorRoles.join(", ")}.`, "role");
}
