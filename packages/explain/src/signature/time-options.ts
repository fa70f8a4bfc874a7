/** Times that callers sign instead of the text of `X-TIMESTAMP`. */
import { parseTimestamp } from "@titian/contract";
import { distinct, type Option, variation } from "./variation.ts";

const jakartaMs = 7 * 3_600_000;
/** The clock read twice, once for the header and once for the text. */
const secondsApartMax = 10;

export function timeOptions(timestamp: string): readonly Option[] {
  const at = parseTimestamp(timestamp);
  const time = (value: string | undefined, id: Parameters<typeof variation>[1], isAlone = false) => ({
    value,
    by: [variation("timestamp", id, { timestamp: value ?? "" })],
    ...(isAlone && { isAlone }),
  });
  const right = { value: timestamp, by: [] };
  if (at === undefined) return [right];
  const offset = offsetOf(timestamp);
  const local = timestamp.slice(0, timestamp.length - offset.length);
  const seconds = local.replace(/\.\d+$/, "");
  const utc = new Date(at).toISOString();
  const jakarta = new Date(at + jakartaMs).toISOString();
  const short = (iso: string) => iso.slice(0, 19);
  return distinct<string | undefined>([
    right,
    time(`${seconds}${offset}`, "timestamp.withoutFraction"),
    time(`${seconds}.${utc.slice(20, 23)}${offset}`, "timestamp.withFraction"),
    time(`${seconds}.000${offset}`, "timestamp.withFraction"),
    time(local, "timestamp.withoutZone"),
    time(seconds, "timestamp.withoutZone"),
    time(`${local}${offset.replace(":", "")}`, "timestamp.zoneWithoutColon"),
    time(utc, "timestamp.utc"),
    time(`${short(utc)}Z`, "timestamp.utc"),
    time(`${short(utc)}+00:00`, "timestamp.utc"),
    time(short(utc), "timestamp.utc"),
    time(`${short(utc)}+07:00`, "timestamp.utcAsJakarta"),
    time(`${short(jakarta)}+07:00`, "timestamp.jakarta"),
    time(`${jakarta.slice(0, 23)}+07:00`, "timestamp.jakarta"),
    time(`${short(jakarta)}Z`, "timestamp.localAsUtc"),
    time(`${local}Z`, "timestamp.localAsUtc"),
    time(timestamp.replace("T", " "), "timestamp.spelling"),
    time(timestamp.replace("+", " "), "timestamp.spelling"),
    time(encodeURIComponent(timestamp), "timestamp.spelling"),
    time(String(at), "timestamp.epoch"),
    time(String(Math.floor(at / 1_000)), "timestamp.epoch"),
    time(undefined, "timestamp.leftOut"),
    time("", "timestamp.leftOut"),
    ...Array.from({ length: secondsApartMax }, (_, index) => index + 1).flatMap((apart) =>
      [-apart, apart].map((seconds_) => time(shift(timestamp, at, offset, seconds_), "timestamp.otherTime", true)),
    ),
  ]);
}

/** The life of a token, and some time to send the call. */
const secondsEarlierMax = 1_000;

/** Times of an earlier call, most of all of that for the token: one is kept in a variable and signed again. */
export function* earlierTimes(timestamp: string): Iterable<Option> {
  const at = parseTimestamp(timestamp);
  if (at === undefined) return;
  const offset = offsetOf(timestamp);
  for (let seconds = secondsApartMax + 1; seconds <= secondsEarlierMax; seconds += 1) {
    const value = shift(timestamp, at, offset, -seconds);
    const parameters = { timestamp: value, seconds: String(seconds) };
    yield { value, by: [variation("timestamp", "timestamp.earlier", parameters)] };
  }
}

function offsetOf(timestamp: string): string {
  return /(?:Z|[+-]\d{2}:\d{2})$/.exec(timestamp)?.[0] ?? "";
}

/** The time some seconds later, in the same spelling. */
function shift(timestamp: string, at: number, offset: string, seconds: number): string {
  const localMs = Date.parse(`${timestamp.slice(0, 19)}Z`) + seconds * 1_000;
  const fraction = timestamp.slice(19, timestamp.length - offset.length);
  return Number.isNaN(localMs) ? String(at) : `${new Date(localMs).toISOString().slice(0, 19)}${fraction}${offset}`;
}
