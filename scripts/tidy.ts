/** `npm run tidy`: style as a test, for what oxlint cannot express. Prints `path:line: error: sentence`. */
import { resolve } from "node:path";
import { checkFiles } from "./tidy/check-files.ts";

const findings = checkFiles(resolve(import.meta.dirname, ".."));
for (const { path, line, sentence } of findings) console.error(`${path}:${line}: error: ${sentence}`);
if (findings.length > 0) process.exitCode = 1;
else console.log("tidy: nothing found");
