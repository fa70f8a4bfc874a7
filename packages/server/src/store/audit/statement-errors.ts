/** Endings of statements of the audit, by their codes. */
const hasCode = (error: unknown, isIt: (code: string) => boolean) =>
  error instanceof Error && "code" in error && isIt(String(error.code));

/** True when a statement was ended because its 2 s were over: a smaller slice may succeed. */
export const isOverdue = (error: unknown): boolean => hasCode(error, (code) => code === "57014");

/** Class 22: the data does not fit what the statement does with it. */
export const isDataFault = (error: unknown): boolean => hasCode(error, (code) => code.startsWith("22"));
