/** The JSON of a value. A `Uint8Array` in it is JSON already, received from a partner; undefined members are left out. */
export function toJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString("utf8");
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  let text = "";
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${toJson(member)}`;
  }
  return `{${text}}`;
}
