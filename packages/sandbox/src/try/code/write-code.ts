/** A signed call as a whole program in each language. */
import { object, type Static, string } from "@titian/contract";
import type { CodeInput } from "./code-input.ts";
import { writeCurl } from "./curl.ts";
import { writeGo } from "./go.ts";
import { writeJava } from "./java.ts";
import { writeJavaScript } from "./javascript.ts";
import { writePhp } from "./php.ts";
import { writePython } from "./python.ts";

export const programs = object(
  { curl: string(), sdk: string(), php: string(), go: string(), java: string(), python: string() },
  { description: "whole programs that sign and send this call, with the partner's credentials of this sandbox" },
);
type Programs = Static<typeof programs>;
export type CodeLanguage = keyof Programs;

export function writeCode(input: CodeInput): Programs {
  return {
    curl: writeCurl(input),
    sdk: writeJavaScript(input),
    php: writePhp(input),
    go: writeGo(input),
    java: writeJava(input),
    python: writePython(input),
  };
}
