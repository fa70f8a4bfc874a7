/** Process of those who disturb: each message is a list of paces that are called at once; the answer their response codes. */
import { readSandboxFile } from "../../test/support/black-box/sandbox-file.ts";
import { createPacedCaller, type Pace } from "./paced-calls.ts";

const [dataDir = ""] = process.argv.slice(2);
const caller = createPacedCaller(readSandboxFile(dataDir));
process.on("message", (message) => {
  // The parent is this program.
  const paces = message as { readonly paces: readonly Pace[] };
  void Promise.all(paces.paces.map(caller.call)).then((made) => process.send?.(made.map(({ codes }) => codes)));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
