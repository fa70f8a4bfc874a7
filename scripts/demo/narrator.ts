/** Tells the demo's story on the terminal, and remembers what was expected and what was found. */
import { styleText } from "node:util";
import { formatTable } from "../../packages/server/src/cli/table.ts";

export interface Narrator {
  /** Begins a chapter. */
  chapter(title: string): void;
  tell(text: string): void;
  /** Compares, tells, and remembers for the table. */
  expect(step: string, expected: string, found: string): void;
  /** The table of all comparisons; true when all were as expected. */
  conclude(): boolean;
}

export function createNarrator(): Narrator {
  const rows: { readonly step: string; readonly expected: string; readonly found: string; readonly verdict: string }[] =
    [];
  let chapters = 0;
  return {
    chapter: (title) => {
      chapters += 1;
      console.log(`\n${styleText("bold", `${chapters}. ${title}`)}`);
    },
    tell: (text) => console.log(`   ${text}`),
    expect: (step, expected, found) => {
      const isSame = expected === found;
      rows.push({ step, expected, found, verdict: isSame ? "ok" : "NOT OK" });
      console.log(
        isSame ? styleText("green", `   ok: ${found}`) : styleText("red", `   NOT OK: ${found}, expected ${expected}`),
      );
    },
    conclude: () => {
      const wrong = rows.filter(({ expected, found }) => expected !== found).length;
      const columns = { step: "step", expected: "expected", found: "found", verdict: "" };
      console.log(`\n${formatTable(columns, rows)}\n`);
      console.log(wrong === 0 ? `All ${rows.length} as expected.` : `${wrong} of ${rows.length} not as expected.`);
      return wrong === 0 && rows.length > 0;
    },
  };
}
