/** A signed call as a whole program in each language. */
import type { CodeLanguage } from "@titian/control";
import type { CodeInput } from "./code-input.ts";
import { writeCurl } from "./curl.ts";
import { writeGo } from "./go.ts";
import { writeJava } from "./java.ts";
import { writePhp } from "./php.ts";
import { writePython } from "./python.ts";
import { writeSdk } from "./sdk.ts";

export function writeCode(input: CodeInput): Readonly<Record<CodeLanguage, string>> {
  return {
    curl: writeCurl(input),
    sdk: writeSdk(input),
    php: writePhp(input),
    go: writeGo(input),
    java: writeJava(input),
    python: writePython(input),
  };
}
