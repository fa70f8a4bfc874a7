/** The document as text. */
import type { OpenApiDocument } from "./create-open-api.ts";

/** In ASCII: its patterns hold characters that YAML forbids, with which some tools read JSON too, and that show as nothing. */
export function writeOpenApi(document: OpenApiDocument): string {
  return JSON.stringify(document).replace(/[^ -~]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
