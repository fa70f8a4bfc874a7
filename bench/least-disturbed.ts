/** Windows in which the machine did little else. */
import type { Measured } from "./subject.ts";

export interface Disturbance {
  /** A window in which others took a larger share of the machine (0 to 1) is measured again. */
  readonly othersMost: number;
  readonly onProgress: (text: string) => void;
}

const triesMost = 5;

/** The least disturbed of at most a few tries. Chosen by the others' CPU alone, never by what was measured. */
export async function leastDisturbed(
  { othersMost, onProgress }: Disturbance,
  name: string,
  run: () => Promise<Measured>,
): Promise<Measured> {
  let best = await run();
  for (let tries = 1; tries < triesMost && shareOf(best) > othersMost; tries += 1) {
    onProgress(`others took ${formatShare(best)} of the machine: measuring ${name} again`);
    const again = await run();
    if (shareOf(again) < shareOf(best)) best = again;
  }
  return best;
}

/** As a text in percent. */
export function formatShare(measured: Measured): string {
  return `${(shareOf(measured) * 100).toFixed(0)} %`;
}

function shareOf({ othersShare = 0 }: Measured): number {
  return othersShare;
}
