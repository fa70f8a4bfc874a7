/** A collection as Bruno's folder of files. */
import {
  type CollectionCall,
  collectionDescription,
  type CollectionFolder,
  collectionName,
  type CollectionPart,
  environment,
  secretName,
  toJson,
} from "./collection.ts";
import { brunoAfter, brunoAfterControl, brunoBefore } from "./scripts.ts";

type Files = readonly (readonly [path: string, text: string])[];

/** The text of each file, by its path. */
export function writeBruno(parts: readonly CollectionPart[]): Files {
  return [
    ["bruno.json", `${toJson({ version: "1", name: collectionName, type: "collection" })}\n`],
    ["collection.bru", block("docs", collectionDescription)],
    ["environments/sandbox.bru", `${block("vars", pairs(environment))}vars:secret [\n  ${secretName}\n]\n`],
    ...parts.flatMap((part, index) => writePart(part, index + 1)),
  ];
}

function writePart(part: CollectionPart, seq: number): Files {
  const isSigned = part.kind === "signed";
  const auth = isSigned
    ? [block("auth", pairs({ mode: "none" }))]
    : [block("auth", pairs({ mode: "bearer" })), block("auth:bearer", pairs({ token: `{{${secretName}}}` }))];
  const scripts = isSigned
    ? [block("script:pre-request", brunoBefore), block("tests", brunoAfter)]
    : [block("tests", brunoAfterControl)];
  const head = [block("meta", pairs({ name: part.name, seq })), ...auth, ...scripts, block("docs", part.description)];
  return [
    [`${part.file}/folder.bru`, head.join("\n")],
    ...part.folders.flatMap((folder, index) => writeFolder(`${part.file}/${folder.file}`, folder, index + 1)),
  ];
}

function writeFolder(path: string, { name, description, calls }: CollectionFolder, seq: number): Files {
  const head = [
    block("meta", pairs({ name, seq })),
    block("auth", pairs({ mode: "inherit" })),
    ...(description === "" ? [] : [block("docs", description)]),
  ];
  return [
    [`${path}/folder.bru`, head.join("\n")],
    ...calls.map((call, index): [string, string] => [`${path}/${call.file}.bru`, writeCall(call, index + 1)]),
  ];
}

function writeCall({ name, description, method, url, query, body }: CollectionCall, seq: number): string {
  const sent = query.filter(({ isOff }) => !isOff).map((one) => `${one.name}=${one.value}`);
  const target = sent.length === 0 ? url : `${url}?${sent.join("&")}`;
  const parameters = query.map((one) => `${one.isOff ? "~" : ""}${one.name}: ${one.value}`).join("\n");
  return [
    block("meta", pairs({ name, type: "http", seq })),
    block(method.toLowerCase(), pairs({ url: target, body: body === undefined ? "none" : "json", auth: "inherit" })),
    ...(query.length === 0 ? [] : [block("params:query", parameters)]),
    ...(body === undefined ? [] : [block("body:json", body)]),
    block("docs", [description, ...query.map((one) => `- ${one.name}: ${one.description}`)].join("\n")),
  ].join("\n");
}

const pairs = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** A block's text is indented by two. */
function block(name: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  return `${name} {\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n}\n`;
}
