/** Step 6: `X-TIMESTAMP` and our clocks (spec D2, D18). */
import { formatTimestamp, parseTimestamp } from "@titian/contract";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { diagnose } from "../state.ts";

const windowMsDefault = 300_000;
const hourMs = 3_600_000;
const jakartaHours = 7;

export interface ClockComparison {
  /**
   * The one of our clocks, real and business time, that is nearer, as a call is in time if it is near either; but the one
   * that differs by the hours of Jakarta, where one does.
   */
  readonly ourClock: number;
  /** Theirs minus ours (ms). */
  readonly differenceMs: number;
}

export function compareClocks({ evidence, timestamp, partner }: Received): ClockComparison | undefined {
  const sentAt = parseTimestamp(timestamp);
  const { at, businessTime } = evidence;
  if (sentAt === undefined || at === undefined || businessTime === undefined) return undefined;
  const nearest = Math.abs(sentAt - at) <= Math.abs(sentAt - businessTime) ? at : businessTime;
  const isInTime = Math.abs(sentAt - nearest) <= (partner?.timestampWindowMs ?? windowMsDefault);
  const byZone = isInTime ? undefined : [at, businessTime].find((clock) => isJakartaZone(sentAt - clock));
  const ourClock = byZone ?? nearest;
  return { ourClock, differenceMs: sentAt - ourClock };
}

const isJakartaZone = (differenceMs: number): boolean =>
  Math.abs(Math.abs(differenceMs) - jakartaHours * hourMs) <= windowMsDefault;

const zoneHoursMax = 14;

export function explainTime(received: Received): Diagnosis {
  const compared = compareClocks(received);
  if (compared === undefined)
    return diagnose("timestamp", "X-TIMESTAMP", "call.unexplained", {
      step: "6",
      responseCode: received.evidence.responseCode,
    });
  const { differenceMs } = compared;
  const windowMs = received.partner?.timestampWindowMs ?? windowMsDefault;
  const ourClock = formatTimestamp(compared.ourClock);
  const hours = Math.round(differenceMs / hourMs);
  const isWhole = Math.abs(differenceMs - hours * hourMs) <= windowMs && hours !== 0 && Math.abs(hours) <= zoneHoursMax;
  const parameters = {
    ourClock,
    difference: inWords(Math.abs(differenceMs)),
    window: inWords(windowMs),
  };
  const say = (id: Parameters<typeof diagnose>[2]) => diagnose("timestamp", "X-TIMESTAMP", id, parameters);
  if (!isWhole) return say(differenceMs > 0 ? "time.ahead" : "time.behind");
  const isUtcText = received.timestamp.endsWith("Z") || received.timestamp.endsWith("+00:00");
  if (hours === -jakartaHours && !isUtcText) return say("time.utcAsJakarta");
  if (hours === jakartaHours && isUtcText) return say("time.jakartaAsUtc");
  return say("time.zone");
}

/** `2 d 3 h`, `5 min 10 s`: the two largest units. */
function inWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const named = units.filter(([count]) => count > 0).slice(0, 2);
  return named.length === 0 ? "0 s" : named.map(([count, unit]) => `${count} ${unit}`).join(" ");
}
