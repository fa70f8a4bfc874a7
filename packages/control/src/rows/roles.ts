/** Roles of operators by row: the one table of who may make which call. The database decides on acts once more, by its own. */
import { ControlError } from "../control-error.ts";
import type { AnyCall, Role } from "./define-call.ts";

export const roles: readonly Role[] = ["viewer", "support", "operator", "approver", "security", "auditor"];

/** Roles that make the rows which say the role. An auditor reads everything, and acts on nothing. */
const makers: Readonly<Record<Role, readonly Role[]>> = {
  viewer: roles,
  support: ["support", "operator", "approver", "auditor"],
  operator: ["operator"],
  approver: ["approver"],
  security: ["security"],
  auditor: ["auditor"],
};

/** Rows that others make, too: the proposer of an act takes it back, and who approves closes as well. */
const alsoMadeBy: Readonly<Record<string, readonly Role[]>> = {
  "act refuse": ["operator", "security"],
  "switch close": ["approver"],
  "operators end": ["approver"],
};

type Row = Pick<AnyCall, "name" | "role" | "access">;

export function makersOf({ name, role, access }: Row): readonly Role[] {
  const able = makers[role].filter((one) => access === "read" || one !== "auditor");
  return [...able, ...(alsoMadeBy[name] ?? [])];
}

/** @throws ControlError 403 where none of the roles makes the call: it names those that do */
export function checkRole(row: Row, held: readonly Role[]): void {
  const may = makersOf(row);
  if (held.some((role) => may.includes(role))) return;
  const message = `The call "${row.name}" is made by the role ${may.join(" or ")}.`;
  throw new ControlError(403, "notPermitted", message);
}
