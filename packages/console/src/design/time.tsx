/** Times, always of Jakarta: the service's business time. */
import { language } from "../preferences.ts";

const zone = "Asia/Jakarta";
const locales = { en: "en-GB", id: "id-ID" } as const;
const kinds = {
  full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  short: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeKind = keyof typeof kinds;

const formats = new Map<string, Intl.DateTimeFormat>();

/** @param at ISO 8601, or epoch milliseconds; a text that is no time stays as it is */
export function timeText(at: string | number, kind: TimeKind = "full"): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const key = `${language.value} ${kind}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language.value], { timeZone: zone, hourCycle: "h23", ...kinds[kind] });
    formats.set(key, format);
  }
  return format.format(date);
}

/** Milliseconds as "12 ms" or "10.0 s". */
export function durationText(ms: number | null): string {
  if (ms === null) return "–";
  const isLong = ms >= 1_000;
  const maximumFractionDigits = isLong || ms < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(locales[language.value], { maximumFractionDigits });
  return isLong ? `${number.format(ms / 1_000)} s` : `${number.format(ms)} ms`;
}

/** Milliseconds as seconds, with their sign: "−7,200.7". */
export function secondsText(ms: number): string {
  const format = new Intl.NumberFormat(locales[language.value], {
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  return format.format(ms / 1_000);
}

interface WhenProps {
  readonly at: string | undefined | null;
  readonly kind?: TimeKind;
}

export function When({ at, kind = "full" }: WhenProps) {
  if (at == null) return <span class="muted">–</span>;
  return (
    <time dateTime={at} title={at} class="amount">
      {timeText(at, kind)}
    </time>
  );
}
