/** Puts the licence into the package whose directory it runs in: npm packs the LICENSE that lies there. */
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../LICENSE", import.meta.url), "LICENSE");
