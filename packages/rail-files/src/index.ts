/** Rails of files (docs/reference/rails.md). */
export { connectFileRails } from "./connect-file-rails.ts";
export type { JudgedLine } from "./export/compare.ts";
export { blockingKinds } from "./export/reasons.ts";
export { type Review, reviewDirectory } from "./export/review.ts";
export { railFolder } from "./rail-folder.ts";
export { findResults } from "./results/find-results.ts";
export { takeOverDirectory } from "./take-over.ts";
