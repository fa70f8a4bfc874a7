/** Second part of the demo: node and PostgreSQL are killed outright while callers pay, and everything is compared afterwards. */
import { killOverHttp } from "../../test/e2e/kill-rounds.ts";
import type { Payers } from "../../test/e2e/payments/payers.ts";
import { randomNumbers } from "../../test/torture/random-numbers.ts";

const rounds = 3;
const counterEveryMs = 100;

const rupiah = new Intl.NumberFormat("id-ID", { style: "currency", currency: "IDR", maximumFractionDigits: 0 });
const whole = new Intl.NumberFormat("en");

/** True: nothing was lost or doubled, and the audit is clean. */
export async function showCrashes(seed: number): Promise<boolean> {
  console.log("\nA second sandbox, 32 callers that pay, and SIGKILL for its PostgreSQL,");
  console.log(`for both, and for the node (seed ${seed}):\n`);
  const counter = createCounter();
  const { faults } = await killOverHttp({
    rounds,
    random: randomNumbers(seed),
    onPayers: counter.show,
    onKilled: (what) => counter.say(`killed   ${what}`),
  });
  counter.end();
  for (const fault of faults) console.log(`  FAILED ${fault}`);
  if (faults.length > 0) return false;
  console.log("  Every transfer was asked for again, and every balance compared:");
  console.log("  nothing is lost, nothing is doubled, the audit is clean.");
  return true;
}

/** On a terminal a line that counts on; elsewhere a line for each kill. */
function createCounter() {
  let payers: Payers | undefined;
  const isTerminal = process.stdout.isTTY;
  const draw = () => process.stdout.write(`\r\u001b[K  ${payers === undefined ? "starting" : describe(payers)}`);
  const timer = isTerminal ? setInterval(draw, counterEveryMs) : undefined;
  const clear = isTerminal ? "\r\u001b[K" : "";
  return {
    show: (shown: Payers) => {
      payers = shown;
    },
    say: (text: string) => {
      const count = payers === undefined ? "" : `, ${describe(payers)}`;
      console.log(`${clear}  ${text}${count}`);
    },
    end: () => {
      clearInterval(timer);
      if (payers !== undefined) console.log(`${clear}  paid     ${describe(payers)}\n`);
    },
  };
}

function describe({ intents }: Payers): string {
  const paid = intents.filter(({ referenceNo }) => referenceNo !== undefined);
  const moved = paid.reduce((sum, { value }) => sum + value, 0n);
  return `${whole.format(paid.length)} transfers, ${rupiah.format(moved).replaceAll("\u00a0", " ")}`;
}
