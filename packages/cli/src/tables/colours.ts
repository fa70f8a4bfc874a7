/** Colours of tables, in a terminal alone: none with NO_COLOR, --no-color, or where the output goes elsewhere. */
import { styleText } from "node:util";

type Tone = "head" | "rule" | "good" | "bad" | "waiting" | undefined;

const styles = { head: "bold", rule: "dim", good: "green", bad: "red", waiting: "yellow" } as const;

let isPlain = false;

/** `--no-color` of the command line. */
export function paintNothing(plain: boolean): void {
  isPlain = plain;
}

/** Node looks at the variables and the stream. */
export function paint(tone: Tone, text: string): string {
  return isPlain || tone === undefined || text === ""
    ? text
    : styleText(styles[tone], text, { stream: process.stdout });
}

const columns: ReadonlySet<string> = new Set(["state", "status", "mode", "now"]);

const words: Readonly<Record<string, Tone>> = {
  ...of("good", "active", "settled", "delivered", "open", "normal", "captured", "approved"),
  ...of("bad", "rejected", "refused", "closed", "blocked", "down", "dead", "declined", "expired"),
  ...of(
    "waiting",
    "pending",
    "dormant",
    "moved",
    "arriving",
    "suspended",
    "slow",
    "limbo",
    "kept",
    "waiting",
    "returned",
    "expiring",
  ),
};

function of(tone: Tone, ...names: readonly string[]): Readonly<Record<string, Tone>> {
  return Object.fromEntries(names.map((name) => [name, tone]));
}

/** Tone of a cell: of states alone. */
export function toneOf(column: string, text: string): Tone {
  return columns.has(column) ? words[text] : undefined;
}
