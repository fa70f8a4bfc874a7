/**
 * `npm run tidy`: style as a test, for what oxlint cannot express. Prints `path:line: error: sentence`. With `--lower` it
 * first writes the counts of comments that became fewer.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkFiles, readFiles } from "./tidy/check-files.ts";
import { countsPath, lowerCounts } from "./tidy/comments.ts";

const root = resolve(import.meta.dirname, "..");
if (process.argv.includes("--lower")) {
  writeFileSync(join(root, countsPath), `${JSON.stringify(lowerCounts(readFiles(root)), undefined, 2)}\n`);
}
const findings = checkFiles(root);
for (const { path, line, sentence } of findings) console.error(`${path}:${line}: error: ${sentence}`);
if (findings.length > 0) process.exitCode = 1;
else console.log("tidy: nothing found");
