/** Settings of files that take the place of those that come with the service (spec D11). */
import { optional, string } from "@titian/contract";

export const dataFileVariables = {
  TITIAN_RAILS_FILE: optional(string({ description: "a file" })),
  TITIAN_HOLIDAYS_FILE: optional(string({ description: "a file" })),
  TITIAN_BANKS_FILE: optional(string({ description: "a file" })),
};

export interface DataFiles {
  readonly rails?: string;
  readonly holidays?: string;
  readonly banks?: string;
}

type Given = { readonly [Name in keyof typeof dataFileVariables]?: string };

export function readDataFiles(settings: Given): DataFiles {
  const { TITIAN_RAILS_FILE: rails, TITIAN_HOLIDAYS_FILE: holidays, TITIAN_BANKS_FILE: banks } = settings;
  return {
    ...(rails !== undefined && { rails }),
    ...(holidays !== undefined && { holidays }),
    ...(banks !== undefined && { banks }),
  };
}
