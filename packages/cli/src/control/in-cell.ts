/** Calls of a service in the cell that `--cell` names. */
import { usageError } from "../cli-error.ts";
import { type Carrier, rejectionOf } from "./call-row.ts";

/** Names the cell in each call's query. @throws CliError where the service has home alone, or the call is home's always */
export function inCell(carry: Carrier, cell: number): Carrier {
  return async (request) => {
    const separator = request.path.includes("?") ? "&" : "?";
    const answered = await carry({ ...request, path: `${request.path}${separator}cell=${cell}` });
    const { message = "" } = rejectionOf(answered.status, answered.answer, {}) ?? {};
    if (/ has no "cell"/.test(message))
      throw usageError(`--cell ${cell}: the service has no cells beside home, or does this on home: leave --cell out.`);
    return answered;
  };
}
