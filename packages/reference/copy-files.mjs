/** Copies what the built package reads beside its code: its assets, and the documents that it shows, by their paths here. */
import { cpSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const repository = join(here, "..", "..");
const dist = join(here, "dist");

cpSync(join(here, "src", "assets"), join(dist, "assets"), { recursive: true });
for (const path of ["docs/guides", "docs/reference", "docs/specification.md", "packages/client/README.md"]) {
  cpSync(join(repository, path), join(dist, "repository", path), { recursive: true });
}
