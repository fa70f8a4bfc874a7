/** The result of reading the fields of a call. */

/** Fields that were read, absent ones left out. */
export type ReadFields = Readonly<Record<string, unknown>>;

export interface ReadFault {
  readonly ok: false;
  readonly case: "badRequest" | "invalidMandatoryField" | "invalidFieldFormat";
  /** Path of the first faulty field, such as `bulkObject[3].bankCode`; absent for `badRequest`. */
  readonly field?: string;
  /** The top-level fields that were valid, for the echo of a failed response (spec D8). */
  readonly valid: ReadFields;
}

export type ReadResult<Value> = { readonly ok: true; readonly value: Value } | ReadFault;
