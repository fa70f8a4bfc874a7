/** Acts on operators in words. */
import type { ActRow } from "../../store/reads/acts.ts";
import { findOperator } from "../../store/tables/operators.ts";
import type { QueryDeps } from "../query-deps.ts";
import type { Sentence } from "./sentence.ts";

export async function describeOperatorAct(
  { pool }: Pick<QueryDeps, "pool">,
  { kind, target, after }: ActRow,
): Promise<Sentence> {
  const role = String(after["role"]);
  if (kind === "operatorAddition") {
    const { name, issuer, subject, databaseRole, roles } = after;
    const who = `${String(name)} (${String(issuer)} ${String(subject)})`;
    const all = (roles as readonly string[]).join(", ") || "-";
    const door = typeof databaseRole === "string" ? databaseRole : undefined;
    return {
      en: `Add the operator ${who} with the roles ${all}${door === undefined ? "" : `, at the database's role ${door}`}`,
      id: `Menambah operator ${who} dengan peran ${all}${door === undefined ? "" : `, lewat peran basis data ${door}`}`,
    };
  }
  const found = await findOperator(pool, target);
  const who = found === undefined ? target : `${found.name} (${found.issuer} ${found.subject})`;
  if (kind === "roleGrant") return { en: `Give ${who} the role ${role}`, id: `Memberi ${who} peran ${role}` };
  if (kind === "roleRemoval")
    return { en: `Take the role ${role} from ${who} at once`, id: `Mencabut peran ${role} dari ${who} seketika` };
  if (kind === "breakGlass")
    return {
      en: `Open a session of ${who} for 30 minutes without the identity provider, by ${String(after["openedBy"])}`,
      id: `Membuka sesi ${who} selama 30 menit tanpa penyedia identitas, oleh ${String(after["openedBy"])}`,
    };
  return {
    en: `End the operator ${who} at once: no session, no act`,
    id: `Mengakhiri operator ${who} seketika: tanpa sesi, tanpa tindakan`,
  };
}
