/**
 * `npm run torture -- silent-cell`: 16 callers of home over HTTP, one call in ten to an account of a further cell on another cluster, which
 * serves for 60 s, is away for 60 s, and serves again. Within home no call may fail; to the cell each is answered with success, or 503 with
 * `Retry-After` and nothing taken; afterwards what was accepted stands in both cells, to the cent. Latencies and their ratio are printed.
 * `npm run torture -- silent-cell --seconds=20 --callers=8 --seed=7`.
 */
import { silentRounds } from "../../test/torture/cells/silent-rounds.ts";
import { runOutage } from "./outage.ts";

await runOutage("silent-cell", "a cell", silentRounds, "home went on, and all that was accepted is there");
