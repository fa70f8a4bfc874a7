/** Shapes of a noun: the ledger and its tables declare them, and the function of `views` that makes what people see. */
import type { Rule } from "./rule.ts";

/** Two members by which a hold, a bulk, a transfer and a payment request are known. */
const nouns = [
  ["held", "captured"],
  ["itemCount", "openCount"],
  ["sentAmount", "inquiryCount"],
  ["requestedAmount", "approvedAmount"],
] as const;

const declaration = /^(?:export )?(?:interface \w+|type \w+ = ).*\{$/;
const member = /^ {2}(?:readonly )?(\w+)\??:/;

export const oneShapeANoun: Rule = {
  name: "one-shape-a-noun",
  sentence:
    "Only `ledger`, `engine` and `store` declare a noun's members: what people see of it is inferred from the function of `views` that makes it (`Shown`).",
  appliesTo: (path) =>
    /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) &&
    !/^packages\/(contract|server\/src\/(ledger|engine|store))\//.test(path) &&
    !path.endsWith(".test.ts"),
  findLine: ({ lines }) => {
    const starts = lines.flatMap((line, index) => (declaration.test(line) ? [index] : []));
    const found = starts.find((start) => {
      const length = lines.slice(start).findIndex((line) => line.startsWith("}"));
      const block = lines.slice(start, start + length);
      const names = new Set(block.map((line) => member.exec(line)?.[1]));
      return nouns.some((noun) => noun.every((name) => names.has(name)));
    });
    return found === undefined ? undefined : found + 1;
  },
};
