/** Mistakes in JSON and fields of a body that is signed rightly. */
import { type Mistake, mistakes, signsAndSends, withMembers } from "./mistake.ts";

const replaced = (from: string, to: string) => signsAndSends((text) => text.replace(from, to));
const without = (name: string) =>
  signsAndSends((text) => {
    const { [name]: _, ...others } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(others);
  });
const amount = (value: unknown, currency: unknown = "IDR") => withMembers({ amount: { value, currency } });

export const jsonMistakes: readonly Mistake[] = [
  ...mistakes("JSON", "json", [
    ["no body", "node", "json.empty", signsAndSends(() => "")],
    ["a form", "curl", "json.form", signsAndSends(() => "partnerReferenceNo=1&amount=10000.00")],
    ["a list", "php", "json.notObject", signsAndSends((text) => `[${text}]`)],
    ["JSON in a text", "node", "json.notObject", signsAndSends((text) => JSON.stringify(text))],
    ["str of a dict", "python", "json.singleQuote", signsAndSends((text) => text.replaceAll('"', "'"))],
    ["names without quotes", "typescript", "json.unquotedKey", replaced('"remark"', "remark")],
    ["a comma at the end", "typescript", "json.trailingComma", signsAndSends((text) => `${text.slice(0, -1)},}`)],
    ["True", "python", "json.word", withMemberText('"confirmed":True')],
    ["None", "python", "json.word", withMemberText('"note":None')],
    ["NaN", "python", "json.word", withMemberText('"note":NaN')],
    ["a variable that was not filled in", "postman", "json.placeholder", withMemberText('"note":{{note}}')],
    ["a number with a zero before it", "payment", "json.number", withMemberText('"note":0812')],
    ["a line break in a text", "shell", "json.control", replaced("Rp ", "Rp\n")],
    ["a tab in a text", "copy", "json.control", replaced("Rp ", "Rp\t")],
    ["a path of Windows in a text", "windows", "json.escape", replaced("Rp ", "C:\\x ")],
    ["cut off", "gateway", "json.endsEarly", signsAndSends((text) => text.slice(0, -1))],
    ["two objects", "shell", "json.afterEnd", signsAndSends((text) => text + text)],
    ["a name twice", "php", "json.duplicateKey", withMemberText('"remark":"x"')],
    ["a byte order mark", "windows", "json.byteOrderMark", signsAndSends((text) => `\ufeff${text}`)],
    ["Latin-1", "windows", "json.notUtf8", signsAndSends((text) => Buffer.from(text.replace("—", "é"), "latin1"))],
    ["half of an emoji", "java", "json.loneSurrogate", replaced("Rp ", "\\ud83d ")],
  ]),
  ...mistakes("JSON", "field", [
    ["no amount", "payment", "field.missing", without("amount")],
    ["an empty account", "laravel", "field.missing", withMembers({ sourceAccountNo: "" })],
    [
      "a name in snake_case",
      "payment",
      "field.missingNear",
      replaced('"partnerReferenceNo"', '"partner_reference_no"'),
    ],
    ["a name in another case", "dotnet", "field.missingNear", replaced('"sourceAccountNo"', '"SourceAccountNo"')],
    ["an amount without currency", "payment", "field.missing", withMembers({ amount: { value: "10000.00" } })],
    ["an amount that is a number", "payment", "field.notMoney", withMembers({ amount: 10_000 })],
    ["an amount that is a text", "payment", "field.notMoney", withMembers({ amount: "10000.00" })],
    ["a value that is a number", "node", "field.notAmount", amount(10_000)],
    ["a value with commas", "payment", "field.notAmount", amount("10,000.00")],
    ["a value with Rp", "payment", "field.notAmount", amount("Rp10000.00")],
    ["a value with three decimals", "python", "field.tooFine", amount("10000.005")],
    ["a value below zero", "payment", "field.notAmount", amount("-10000.00")],
    ["currency Rp", "payment", "field.format", amount("10000.00", "Rp")],
    ["currency as a number", "java", "field.notText", amount("10000.00", 360)],
    ["a date without zone or time", "php", "field.format", withMembers({ transactionDate: "21-11-2026" })],
  ]),
];

/** One member more, as it is written here. */
function withMemberText(member: string): Mistake["make"] {
  return signsAndSends((text) => `${text.slice(0, -1)},${member}}`);
}
