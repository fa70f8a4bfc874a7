/** Cells that an installation has beside home, and calls that are made in one of them. */
import { call, type Call } from "./call.ts";
import { withMember } from "./pages.ts";
import { useControl } from "./resource.ts";

/** Their numbers, home's first; empty where there is home alone, undefined until they are read. */
export function useCells(): readonly number[] | undefined {
  const { data } = useControl(call("GET /cells"));
  if (data === undefined) return undefined;
  const numbers = data.cells.map(({ number }) => number);
  return numbers.length > 1 ? numbers : [];
}

/** The call as it is made in a cell. `cell`: as the page's address has it; undefined: where the call itself says, or in home. */
export function inCell<Answer>(asked: Call<Answer>, cell: string | undefined): Call<Answer> {
  return cell === undefined ? asked : withMember(asked, "cell", cell);
}
