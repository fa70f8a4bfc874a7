/** The programs of examples/calls: those of the console, with the values of a `sandbox.json`. */
import { operations } from "@titian/contract";
import type { CodeInput } from "./code-input.ts";
import { type CodeLanguage, writeCode } from "./write-code.ts";

/** File of each language below examples/calls. */
export const exampleFiles: Readonly<Record<CodeLanguage, string>> = {
  curl: "curl/transfer.sh",
  sdk: "javascript/transfer.mjs",
  php: "php/transfer.php",
  go: "go/transfer.go",
  java: "java/Transfer.java",
  python: "python/transfer.py",
};

/** None of these texts is in the programs: they read them. */
const input: CodeInput = {
  values: "sandboxFile",
  repeats: true,
  operation: "intrabankTransfer",
  request: operations.intrabankTransfer.example.request,
  isToken: false,
  signing: "symmetric",
  baseUrl: "",
  pathPrefix: "",
  version: "",
  path: "",
  tokenPath: "",
  partnerId: "",
  channelId: "",
  clientKey: "",
  clientSecret: "",
  privateKey: "",
  externalId: "",
  customerToken: undefined,
  body: "",
};

/** The text of each file, by its path below examples/calls. */
export function writeExamples(): ReadonlyMap<string, string> {
  const code = writeCode(input);
  return new Map(Object.entries(exampleFiles).map(([language, file]) => [file, code[language as CodeLanguage]]));
}
