/** Rails of files (docs/rails.md). */
export { connectFileRails } from "./connect-file-rails.ts";
export { takeOverDirectory } from "./take-over.ts";
