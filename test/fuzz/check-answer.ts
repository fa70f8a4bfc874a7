/**
 * Form of every response, whatever was asked: an envelope with a documented code. The table is the documents', by hand.
 */
import type { RawAnswer } from "./wire.ts";

/** Status and case that any operation may answer. */
const common = ["40000", "40001", "40002", "40100", "40101", "40102", "40103", "40500"];
const repeats = ["40418", "40900", "40901"];
const paying = [["20000", "40302", "40304", "40309", "40314", "40315", "40318", "40323", "40413"], repeats].flat();
const onHold = ["20000", "40104", "40302", "40304", "40400", "40401", "40413", ...repeats];
const own: Readonly<Record<string, readonly string[]>> = {
  "15": ["20000", "40318", "40411"],
  "17": [
    ["20000", "40302", "40304", "40309", "40314", "40315", "40318", "40323", "40411", "40413", "40418"],
    ["40900", "40901"],
  ].flat(),
  "16": ["20000", "40318", "40403", "40411"],
  "18": [...paying, "20200", "40305", "40306", "40403", "40411"],
  "19": ["20000", "40302", "40304", "40309", "40315", "40318", "40403", "40411", "40413", ...repeats],
  // It pays from an account without money: none is accepted.
  "20": [...paying.filter((name) => name !== "20000"), "40403"],
  "22": [...paying, "40306", "40403"],
  "23": [...paying, "40306", "40403"],
  "36": ["20000", "40401"],
  "53": ["20000", "40401"],
  "63": [...paying, "40104", "40401", "40408"],
  "64": ["20000", "40104", "40401"],
  "65": onHold,
  "66": ["20000", "40104", "40401"],
  "67": onHold,
  "68": ["20000", "40104", "40401"],
  "69": [...onHold, "40314"],
  "73": ["20000"],
};
const tokenServices = ["73", "74"];
/** Codes of a request for no operation. */
const none = ["40000", "40400"];

const onlyOnSuccess = ["referenceNo", "captureNo", "captureTime", "voidNo", "voidTime"];
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/;

/** Finds the fault of a response to a request for this service; undefined when there is none. */
export function findFault(answer: RawAnswer, serviceCode: string, isHead: boolean): string | undefined {
  const { status, headers, body } = answer;
  if (status >= 500) return `answered ${status}`;
  // 73 and 74 give back the time they were sent.
  const time = headers.get("x-timestamp");
  if (time === undefined || (!tokenServices.includes(serviceCode) && !timestamp.test(time)))
    return `X-TIMESTAMP is ${time}`;
  if (headers.get("content-type")?.startsWith("application/json") !== true)
    return `Content-Type ${headers.get("content-type")}`;
  if (isHead) return undefined;
  const fields = parse(body);
  if (fields === undefined) return "the body is no JSON object";
  const { responseCode, responseMessage } = fields;
  if (typeof responseCode !== "string" || !/^\d{7}$/.test(responseCode)) return "no responseCode of 7 digits";
  if (typeof responseMessage !== "string" || responseMessage === "") return "no responseMessage";
  if (Array.from(responseMessage).length > 150) return "responseMessage of more than 150 characters";
  if (responseCode.slice(0, 3) !== String(status)) return `${responseCode} with status ${status}`;
  if (status >= 400 && onlyOnSuccess.some((name) => name in fields)) return "a field of success in a failure";
  const service = responseCode.slice(3, 5);
  const name = responseCode.slice(0, 3) + responseCode.slice(5);
  const names = /^Invalid (Field Format|Mandatory Field) \S/;
  if ((name === "40001" || name === "40002") && !names.test(responseMessage))
    return `no field named: ${responseMessage}`;
  const known = service === "00" ? none : [...common, ...(own[service] ?? [])];
  if (service !== "00" && service !== serviceCode) return `service ${service} for ${serviceCode}`;
  return known.includes(name) ? undefined : `${responseCode} is not documented here`;
}

function parse(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
