/** A payment's money: what was held is captured, voided, expired or still there. */
import type { Timeline } from "@titian/control/types";
import { Amount } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { record } from "../../texts/record.ts";

const parts = ["captured", "remaining", "voided", "expired"] as const;

interface HoldBarProps {
  readonly hold: NonNullable<Timeline["hold"]>;
  readonly currency: string;
}

export function HoldBar({ hold, currency }: HoldBarProps) {
  const texts = record();
  return (
    <Panel title={texts.money}>
      <div class="hold-bar" aria-hidden="true">
        {parts.map((part) => (
          <span key={part} class={`part ${part}`} style={{ width: `${shareOf(hold[part], hold.held)}%` }} />
        ))}
      </div>
      <dl class="hold-parts">
        <div>
          <dt>{texts.held}</dt>
          <dd>
            <Amount value={hold.held} currency={currency} />
          </dd>
        </div>
        {parts.map((part) => (
          <div key={part}>
            <dt>
              <span class={`part key ${part}`} />
              {texts[part]}
            </dt>
            <dd>
              <Amount value={hold[part]} currency={currency} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{texts.refunded}</dt>
          <dd>
            <Amount value={hold.refunded} currency={currency} />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

const digitsOf = (decimal: string): bigint => BigInt(decimal.replace(/\D/g, "") || "0");

/** Percent, for the width of a bar. Both texts have the same number of decimals. */
function shareOf(part: string, whole: string): number {
  const all = digitsOf(whole);
  return all === 0n ? 0 : Number((digitsOf(part) * 10_000n) / all) / 100;
}
