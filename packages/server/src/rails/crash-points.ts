/**
 * Every moment at which dispatch may die with something done and something not: behind each of its awaits. Tests end the
 * process at each of them; nobody else listens.
 */
export const crashPoints = [
  "accepted",
  "submitted",
  "recorded",
  "told",
  "claimed",
  "inquired",
  "submissionRecorded",
  "resubmitted",
  "resultsRead",
  "resultRecorded",
  "resultsTaken",
] as const;

export type CrashPoint = (typeof crashPoints)[number];
