/** Names of the operations that partners call, derived from the contract's table. */
import { type OperationName, operations } from "@titian/contract";

type Rows = typeof operations;

type NamesOfKind<Kind extends Rows[OperationName]["kind"]> = {
  [Name in OperationName]: Rows[Name]["kind"] extends Kind ? Name : never;
}[OperationName];

/** Every operation whose direction is `toProvider`. */
export type CallName = {
  [Name in OperationName]: Rows[Name]["direction"] extends "toProvider" ? Name : never;
}[OperationName];

/** Calls that move or reserve money or store an instruction. */
export type WriteName = CallName & NamesOfKind<"write">;
/** 73 and 74: signed with the client key, without partner id and external id. */
export type TokenName = CallName & NamesOfKind<"token">;

export type RowOf<Name extends OperationName> = Rows[Name];

function isCallName(name: string): name is CallName {
  return Object.values(operations).some((row) => row.name === name && row.direction === "toProvider");
}

export function isWriteName(name: string): name is WriteName {
  return Object.values(operations).some((row) => row.name === name && row.kind === "write");
}

/** Every name, in the order of the table. */
export const callNames: readonly CallName[] = Object.values(operations)
  .map((row) => row.name)
  .filter(isCallName);
