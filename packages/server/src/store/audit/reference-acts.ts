/**
 * Partners, their credentials and merchants say what the acts that wrote them say (0040-reference-acts.sql); rows without an act
 * are older than those functions. Sealed secrets are sealed anew with a new master key: their acts name them by their ids.
 */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import type { TextRow } from "../postgres/session.ts";
import { lookUp } from "./checks/check.ts";
import { type Finding, toFindings } from "./finding.ts";

/** The proposal of an act and its state, as `alias` and `alias_state`. */
const actOf = (alias: string, id: string) => `${lookUp("act_steps", alias, `act_id = ${id} and step = 'proposed'`)}
    left join lateral (select coalesce(outcome, step) as state from act_steps where act_id = ${id} order by position desc limit 1)
      ${alias}_state on true`;

/** True of a row without an act that no earlier release can have written; a sandbox's times are moved. */
const isLate = (row: string) => `${row}.created_at > (select applied_at from migrations where number = 40)
  and exists (select from service_state where name = 'environment' and value #>> '{}' = 'production')`;

/** $1: an id; $2: at most so many rows behind it. Rows: the id, and the finding if there is one. */
const partners = {
  name: "acts of partners",
  text: `with page as materialized (select * from partners where id > $1::uuid order by id limit $2::int),
    read as (select p.*, a.kind, a.target, a.after, a_state.state, s.kind as status_kind, s.target as status_target,
        s.after ->> 'status' as set_status, s_state.state as status_state,
        jsonb_build_object('name', p.name, 'signing', p.signing, 'channelId', p.channel_id, 'settings', p.settings::jsonb) as terms
      from page p ${actOf("a", "p.act_id")} ${actOf("s", "p.status_act_id")})
    select id, case
        when act_id is null and ${isLate("read")} then 'an act'
        when act_id is not null and (kind is distinct from 'partner' or target is distinct from partner_id or state is distinct from 'done'
          or after - array['id', 'clientKey', 'credentials'] is distinct from terms
          or coalesce(after ->> 'clientKey', client_key) <> client_key) then coalesce(after::text, 'an act')
        when status_act_id is not null and (status_target is distinct from partner_id
          or status_kind not in ('partnerSuspension', 'partnerResumption', 'partnerRetirement')
          or status is distinct from (case when status_state = 'refused' then 'active'
            when status_state = 'done' or status_kind = 'partnerSuspension' and status_state = 'proposed' then set_status end))
          then concat_ws(' ', status_kind, status_state, set_status)
        when status_act_id is null and act_id is not null and after ? 'clientKey' and status <> 'active' then 'active' end,
      'partner ' || partner_id, concat_ws(' ', terms::text, status)
    from read order by id`,
};

const credentials = {
  name: "acts of credentials",
  text: `with page as materialized (select * from partner_credentials where id > $1::uuid order by id limit $2::int),
    read as (select c.*, p.partner_id, a.kind as act_kind, a.target, a.after -> 'credentials' as added, a_state.state
      from page c ${lookUp("partners", "p", "id = c.partner")} ${actOf("a", "c.act_id")})
    select id, case
        when act_id is null and ${isLate("read")} then 'an act'
        when act_id is not null and (act_kind not in ('partner', 'partnerKey') or target is distinct from partner_id
          or state is distinct from 'done' or not coalesce(added, '[]') @> jsonb_build_array(case kind
            when 'publicKey' then jsonb_build_object('id', id, 'kind', kind, 'value', value)
            else jsonb_build_object('id', id, 'kind', kind) end)) then coalesce(added::text, 'an act')
        when expires_at is not null and not exists (
          select from act_steps e cross join lateral jsonb_array_elements(coalesce(e.after -> 'end', '[]')) ended
          where e.target = partner_id and e.kind = 'partnerKey' and ended ->> 'id' = read.id::text
            and (ended ->> 'expiresAt')::timestamptz = read.expires_at
            and exists (select from act_steps where act_id = e.act_id and step = 'carried out' and outcome = 'done'))
          then 'an act that ends it' end,
      concat_ws(' ', 'credential', id, 'of partner', partner_id), concat_ws(' ', kind, case kind when 'publicKey' then value end, expires_at)
    from read order by id`,
};

const merchants = {
  name: "acts of merchants",
  text: `with page as materialized (select * from merchants where id > $1::uuid order by id limit $2::int),
    read as (select m.*, p.partner_id, a.kind, a.target, a.reference, a.after, a_state.state,
        s.kind as status_kind, s.target as status_target, s.reference as status_reference, s.after ->> 'status' as set_status,
        s_state.state as status_state, jsonb_build_object('name', m.name, 'settlementAccount', m.settlement_account_id,
          'payerAccount', m.payer_account_id, 'settings', m.settings::jsonb) as terms
      from page m ${lookUp("partners", "p", "id = m.partner")} ${actOf("a", "m.act_id")} ${actOf("s", "m.status_act_id")})
    select id, case
        when act_id is null and ${isLate("read")} then 'an act'
        when act_id is not null and (kind is distinct from 'merchant' or target is distinct from partner_id
          or reference is distinct from merchant_id or state is distinct from 'done'
          or after - array['id', 'status'] is distinct from terms) then coalesce(after::text, 'an act')
        when status_act_id is not null and ((status_target, status_reference) is distinct from (partner_id, merchant_id)
          or status_kind not in ('merchantSuspension', 'merchantResumption')
          or status is distinct from (case when status_state = 'refused' then 'active'
            when status_state = 'done' or status_kind = 'merchantSuspension' and status_state = 'proposed' then set_status end))
          then concat_ws(' ', status_kind, status_state, set_status)
        when status_act_id is null and act_id is not null and status is distinct from after ->> 'status' then after ->> 'status' end,
      concat_ws(' ', 'merchant', merchant_id, 'of partner', partner_id), concat_ws(' ', terms::text, status)
    from read order by id`,
};

const pageSize = 2_000;

/** At most `limit` findings. */
export async function findReferenceFaults(client: Client, limit: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const statement of [partners, credentials, merchants]) {
    let rows: readonly TextRow[];
    for (let id = "00000000-0000-0000-0000-000000000000"; findings.length < limit; id = rows.at(-1)?.[0] ?? "") {
      rows = await queryRows(client, { ...statement, values: [id, pageSize] });
      const wrong = rows.filter(([, expected]) => expected !== null);
      findings.push(
        ...toFindings(
          wrong.map(([, expected = null, subject = null, found = null]) => [
            "referenceHasAct",
            subject,
            expected,
            found,
          ]),
        ),
      );
      if (rows.length < pageSize) break;
    }
  }
  return findings.slice(0, limit);
}
