/** Operations by task, with the bodies of the console's samples: what changes with each call is a variable of its place. */
import { isObject, type OperationRow, operationRows } from "@titian/contract";
import { groupNotes, groupTitles } from "../../../packages/reference/src/frame/texts.ts";
import { taskOf } from "../../../packages/reference/src/pages/operation-page.ts";
import { firstPartner } from "../../../packages/sandbox/src/seed-data.ts";
import { numbers } from "../../../packages/sandbox/src/try/new-number.ts";
import { fill } from "../../../packages/sandbox/src/try/samples.ts";
import { type CollectionCall, type CollectionPart, toJson } from "./collection.ts";

export const operations: readonly OperationRow[] = operationRows.filter(({ direction }) => direction === "toProvider");

const tasks = ["tokens", "pay", "send", "ask"] as const;

export function operationPart(): CollectionPart {
  return {
    name: "Operations",
    file: "operations",
    kind: "signed",
    description:
      "Before each call the sandbox fills in what changes (numbers, times, what the call is about) and signs the body as it stands: change any of it. With a variable externalId the call is sent with that X-EXTERNAL-ID, with customerToken for the customer of a token of 74.",
    folders: tasks.map((task) => ({
      name: groupTitles[task].en,
      file: task,
      description: groupNotes[task].en,
      calls: operations.filter((row) => taskOf(row) === task).map(callOf),
    })),
  };
}

function callOf(row: OperationRow): CollectionCall {
  const { name, code, title, path, description } = row;
  return {
    name: `${code} ${name}`,
    file: name,
    description: `${title}. ${description}`,
    method: "POST",
    url: `{{baseUrl}}{{apiPath}}/${path}`,
    query: [],
    body: toJson(withVariables(bodyOf(row), liveFields(row))),
  };
}

/** The sample's members; times are variables all the same. */
function bodyOf(row: OperationRow): object {
  const isFilled = row.about.startsFrom === undefined && !("authCode" in row.request);
  return { ...row.example.request, ...(isFilled && fill(0, row, firstPartner)) };
}

const times = ["transactionDate", "expiredDatetime", "authCode"];
const ofPartner = ["sourceAccountNo", "sourceAccountName", "merchantId"];
const references = ["originalReferenceNo", "originalPartnerReferenceNo", "serviceCode"];

/** Members whose values the sandbox gives before each call. */
function liveFields({ about }: OperationRow): ReadonlySet<string> {
  const ofOriginal = about.startsFrom === undefined ? [] : [...references, about.amount ?? ""];
  return new Set([...numbers, ...times, ...ofPartner, ...ofOriginal]);
}

/** Named by their places: `bulkObject_0_partnerReferenceNo`. An amount keeps its currency. */
function withVariables(value: object, live: ReadonlySet<string>, place = "", isLive = false): object {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const here = `${place}${name}`;
    const changes = (isLive && name !== "currency") || live.has(name);
    if (Array.isArray(member)) return [name, Object.values(withVariables(member, live, `${here}_`))];
    if (isObject(member)) return [name, withVariables(member, live, `${here}_`, changes)];
    return [name, changes ? `{{${here}}}` : member];
  });
  return Object.fromEntries(members);
}
