/** What is measured of bulks (20), in turns, round after round. */
import type { Measured, NodePeaks } from "../subject.ts";

export interface BulkCell {
  readonly name: "one" | "oneLarge" | "three" | "ten" | "tenLarge";
  readonly title: string;
  /** Sent at once. */
  readonly bulks: number;
  readonly itemBytes: number;
  /** Whether callers make intrabank transfers (17) meanwhile. */
  readonly withCallers: boolean;
}

/** Of an item with its mandatory fields: 10,000 are 1.8 MB. */
const itemBytes = 180;
/** With additional information: 10,000, and what they share, are just below 8 MiB, the default TITIAN_BULK_BODY_LIMIT. */
const largeItemBytes = 837;

export const bulkCells: readonly BulkCell[] = [
  { name: "one", title: "one", bulks: 1, itemBytes, withCallers: false },
  { name: "oneLarge", title: "one, large items", bulks: 1, itemBytes: largeItemBytes, withCallers: false },
  { name: "three", title: "three at once", bulks: 3, itemBytes, withCallers: false },
  { name: "ten", title: "ten at once, with callers of 17", bulks: 10, itemBytes, withCallers: true },
  { name: "tenLarge", title: "ten at once, large items", bulks: 10, itemBytes: largeItemBytes, withCallers: false },
];

/** Bulks of one cell, from the first byte sent to the last result recorded. */
export interface BulkWindow {
  /** A call is an item. */
  readonly items: Measured;
  /** Of each bulk, from request to answer. */
  readonly acceptedMs: readonly number[];
  readonly peaks: NodePeaks;
  /** Intrabank transfers (17) before, and in windows while bulks were accepted and settled. */
  readonly callers?: { readonly before: Measured; readonly during: readonly Measured[] };
}

export interface BulkRound {
  /** Interbank transfers (18) on the same rail. */
  readonly singles: Measured;
  readonly cells: Readonly<Record<BulkCell["name"], BulkWindow>>;
}

export const singlesCallers = 256;
export const intrabankCallers = 16;
