/**
 * Reasons why bytes are not the strict JSON object we read (spec D5). The wire says 400xx00 for all, with a reason in
 * brackets.
 * - `byteOrderMark`, `encoding`: not plain UTF-8.
 * - `notObject`: the top-level value is not an object.
 * - `tooDeep`: more containers inside one another than allowed.
 * - `tooManyValues`: more members and elements, of one object or of all, than allowed.
 * - `duplicateKey`, `forbiddenKey` (`__proto__`), `loneSurrogate`: legal JSON that two readers would read differently.
 * - `freeFormTooLarge`: one free-form member is longer than allowed.
 * - `syntax`: not JSON.
 */
export type JsonFault =
  | "byteOrderMark"
  | "encoding"
  | "notObject"
  | "tooDeep"
  | "tooManyValues"
  | "duplicateKey"
  | "forbiddenKey"
  | "loneSurrogate"
  | "freeFormTooLarge"
  | "syntax";
