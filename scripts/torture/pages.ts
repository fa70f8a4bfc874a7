/**
 * `npm run torture -- pages`: every page of the console in a browser, in every look: wide and narrow, light and dark, in both
 * languages. `--only=390`: the looks whose names hold that text.
 */
import { parseArgs } from "node:util";
import { checkPages, openPages } from "../../test/console/check-pages.ts";
import type { Look } from "../../test/support/browser/browser.ts";
import { fail, report } from "./command-line.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const looks = ([1366, 390] as const).flatMap((width) =>
  (["light", "dark"] as const).flatMap((theme) =>
    (["en", "id"] as const).map((language): Look => ({ width, theme, language })),
  ),
);
const nameOf = ({ width, theme, language }: Look) => `${width} px, ${theme}, ${language}`;
const chosen = looks.filter((look) => nameOf(look).includes(values.only));
if (chosen.length === 0) fail(`--only is a part of one of: ${looks.map(nameOf).join("; ")}`);

const faults: string[] = [];
await using opened = await openPages();
for (const look of chosen) {
  await checkPages(opened, look).catch((error: unknown) => void faults.push(`${nameOf(look)}: ${String(error)}`));
  console.log(`${nameOf(look)}: ${faults.length} faults so far`);
}
report(
  "pages of the console",
  { faults, summary: `${chosen.length} looks` },
  "every page loads, fits and is accessible",
);
