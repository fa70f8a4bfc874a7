/**
 * `npm run release`: builds and packs every package and lists what would be published, where this commit can be released.
 * `npm run release -- --publish` publishes it and tags the commit. The repository is the one it runs in.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFaults } from "./release/release-faults.ts";
import { packAll, publishAll, readRelease, type Release } from "./release/release.ts";

const { publish } = parseArgs({ options: { publish: { type: "boolean", default: false } } }).values;

function packAndPublish(release: Release): void {
  const { version, tag } = release;
  const scratch = mkdtempSync(join(tmpdir(), "titian-release-"));
  try {
    const archives = packAll(release, scratch);
    console.log(`Release ${version}:`);
    for (const { spec, files, bytes } of archives)
      console.log(
        `  ${spec.padEnd(32)}${String(files).padStart(5)} files ${String(Math.ceil(bytes / 1_024)).padStart(6)} KiB`,
      );
    if (publish) {
      publishAll(release, archives, console.log);
      console.log(`The commit has the tag ${tag}: push it with \`git push origin ${tag}\``);
    } else
      console.log(`Nothing was published. \`npm run release -- --publish\` publishes this, and tags the commit ${tag}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const release = readRelease(process.cwd());
const faults = findFaults(release);
for (const fault of faults) console.error(`release: error: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else packAndPublish(release);
