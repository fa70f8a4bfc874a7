/** Cells as home lists them, and how far each has what others have sent to its accounts. */
import { array, boolean, integer, number, object, optional, orNull, string } from "@titian/contract";
import { type Core, listCells, type QueryDeps, time } from "@titian/server/admin";
import type { ServedCells } from "../rows/node-cells.ts";
import { defineCall } from "../rows/define-call.ts";

const streamView = object({
  from: integer({ description: "number of the payers' cell" }),
  to: integer({ description: "number of the payees' cell" }),
  entries: integer({ description: "payments that are not credited yet, as far as this node knows" }),
  seconds: number({ description: "age of the oldest of them" }),
  stopped: array(string(), {
    description: "currencies in which nothing is credited until an operator has repaired it",
  }),
});

const cellView = object({
  number: integer({ description: "0: home" }),
  ranges: optional(string({ description: "of account numbers; absent: home has all others" })),
  addedAt: optional(time({ description: "real time" })),
  isReachable: orNull(boolean(), { description: "whether its database answers this node; null: nobody asks it here" }),
});

export interface CellCallsDeps {
  readonly queries: QueryDeps;
  /** Cells of the node; absent: a program that serves none. */
  readonly cellsOfNode?: ServedCells | undefined;
}

export const cellCalls = [
  defineCall({
    name: "cells list",
    route: "GET /cells",
    role: "viewer",
    does: "Home and the cells that it lists, whether their databases answer this node, and how far payments from one to another are behind.",
    answer: object({ cells: array(cellView), streams: array(streamView) }),
    run: async (_input, { queries, cellsOfNode }: CellCallsDeps) => {
      const listed = await listCells(queries.pool);
      const answering = new Map<number, boolean>();
      const served = cellsOfNode?.all() ?? [];
      await Promise.all(served.map(async ({ core }) => answering.set(core.cell, await doesAnswer(core))));
      const isReachable = (cell: number) => (cellsOfNode === undefined ? undefined : (answering.get(cell) ?? false));
      const further = listed.map((row) => ({ ...row, isReachable: isReachable(row.number) }));
      return {
        cells: [{ number: 0, isReachable: isReachable(0) }, ...further],
        streams: cellsOfNode?.streams() ?? [],
      };
    },
  }),
] as const;

const answerMs = 1_000;

/** A database that is silent does not answer. */
function doesAnswer({ replication }: Core): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), answerMs);
  const asked = replication?.answers().catch(() => false) ?? Promise.resolve(false);
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer));
}
