/** Step 3: headers that are missing or malformed (spec D2). */
import { hasOffset, headerNames, parseTimestamp, requiredHeaders } from "@titian/contract";
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { isSecretName } from "../secret-names.ts";
import { masked, shown } from "../shown.ts";
import { diagnose } from "../state.ts";

const expected: Readonly<Record<string, string>> = {
  [headerNames.contentType]: "application/json.",
  [headerNames.timestamp]: "ISO 8601 with seconds and an offset, such as 2026-11-21T10:00:00+07:00.",
  [headerNames.signature]: "Base64.",
  [headerNames.clientKey]: "1 to 128 visible ASCII characters without |.",
  [headerNames.partnerId]: "1 to 36 visible ASCII characters.",
  [headerNames.externalId]: "1 to 36 of A-Z a-z 0-9 . _ -",
  [headerNames.channelId]: "1 to 5 visible ASCII characters, unless agreed otherwise.",
  "Content-Encoding": "identity.",
};

const lengthsMax: Readonly<Record<string, number>> = {
  [headerNames.clientKey]: 128,
  [headerNames.partnerId]: 36,
  [headerNames.externalId]: 36,
};

const nameLengthMax = 60;

export function explainHeader(received: Received, header: string, isMissing: boolean): Diagnosis {
  const parameters = { header, expected: expected[header] ?? "" };
  if (isMissing) {
    const near = misspelt(received, header);
    return near === undefined
      ? diagnose("header", header, "header.missing", parameters)
      : diagnose("header", header, "header.missingNear", { ...parameters, near });
  }
  const value = received.headers[header.toLowerCase()] ?? "";
  const came = isSecretName(header) ? masked(value) : shown(value);
  if (received.names.filter((name) => name.toLowerCase() === header.toLowerCase()).length > 1) {
    return diagnose("header", header, "header.repeated", { header, came });
  }
  if (header === headerNames.timestamp) return explainTimestamp(value, came, parameters);
  const max =
    header === headerNames.channelId ? (received.partner?.channelIdLengthMax ?? 36) : (lengthsMax[header] ?? Infinity);
  if (value.length > max) {
    return diagnose("header", header, "header.tooLong", { header, length: String(value.length), max: String(max) });
  }
  return diagnose("header", header, "header.format", { ...parameters, came });
}

function explainTimestamp(value: string, came: string, parameters: Readonly<Record<string, string>>): Diagnosis {
  const part = headerNames.timestamp;
  if (/^\d{9,}$/.test(value)) return diagnose("header", part, "header.timestampEpoch", { came });
  if (parseTimestamp(value) !== undefined && !hasOffset(value)) {
    return diagnose("header", part, "header.timestampZone", { came });
  }
  if (/[+-]\d{4}$/.test(value) && parseTimestamp(value.replace(/(\d{2})$/, ":$1")) !== undefined) {
    return diagnose("header", part, "header.timestampZoneColon", { came });
  }
  return diagnose("header", part, "header.format", { ...parameters, came });
}

/** A header that was sent, is not one of the interface, and is spelt like the missing one. */
function misspelt({ names, kind }: Received, header: string): string | undefined {
  const known = new Set(
    [...requiredHeaders[kind].map(({ name }) => name), ...Object.values(headerNames)].map((name) => name.toLowerCase()),
  );
  const others = names.filter((name) => name.length <= nameLengthMax && !known.has(name.toLowerCase()));
  const plain = (name: string) => name.toLowerCase().replace(/^x-/, "").replaceAll(/[-_]/g, "");
  const same = others.find((name) => plain(name) === plain(header));
  return shownName(same ?? nearest(header, others));
}

const shownName = (name: string | undefined) => (name === undefined ? undefined : shown(name));
