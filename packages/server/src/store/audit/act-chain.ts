/**
 * The steps of operators' acts (0034-operators-acts.sql): one chain of hashes without a gap, in which each act was proposed by one
 * and approved by another before a node carried it out. Acts of releases without steps are those that the chain begins with.
 */
import { createHash } from "node:crypto";
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { lookUp } from "./checks/check.ts";
import { type Finding, toFindings } from "./finding.ts";
import { findReferenceFaults } from "./reference-acts.ts";

/** The database's own function might have been replaced: this text is the audit's. */
const hashOf = (
  step: string,
) => `sha256(${step}.previous || convert_to(jsonb_build_array(${step}.position, ${step}.act_id, ${step}.step,
  ${step}.who, (extract(epoch from ${step}.at) * 1000000)::bigint, ${step}.kind, ${step}.target, ${step}.reference, ${step}.before,
  ${step}.after, ${step}.reason, ${step}.ticket, (extract(epoch from ${step}.expires_at) * 1000000)::bigint, ${step}.proposer,
  ${step}.outcome, ${step}.result, ${step}.journal_id, ${step}.entries)::text, 'UTF8'))`;

const hex = (bytes: string) => `encode(${bytes}, 'hex')`;

/** Steps $1 to $2, each with its finding if there is one. */
const steps = {
  name: "steps of acts",
  text: `with steps as materialized (select * from act_steps where position between $1::bigint and $2::bigint),
    read as materialized (select s.*, b.hash as hash_before, p.who as proposed_by, p.after as proposed, p.kind as act_kind, d.who as approved_by,
        d.position as decided_at, d.step as decision, x.entries as act_entries, x.journal_id as act_journal
      from steps s ${lookUp("act_steps", "b", "position = s.position - 1")}
        ${lookUp("act_steps", "p", "act_id = s.act_id and step = 'proposed'")}
        ${lookUp("act_steps", "d", "act_id = s.act_id and step in ('approved', 'refused', 'expired')")}
        ${lookUp("acts", "x", "id = s.act_id")})
    select 'actStepHash', position::text, ${hex(hashOf("read"))}, ${hex("hash")} from read where hash is distinct from ${hashOf("read")}
    union all
    select 'actChain', position::text, coalesce(${hex("hash_before")}, 'a step before it'), ${hex("previous")} from read
      where position > 0 and previous is distinct from hash_before
    union all
    select 'actIsApproved', act_id::text, 'a proposal, then an approval by another operator', concat_ws(' ', step, 'by', who) from read
      where step = 'approved' and (proposed_by is null or proposer is distinct from proposed_by or who = proposed_by)
        or step = 'carried out' and act_kind is distinct from 'unmasking' and (decision is distinct from 'approved' or decided_at > position)
        or act_kind = 'unmasking' and (decision is not null or outcome = 'rejected' or journal_id is not null)
        or step in ('refused', 'expired') and proposed_by is null
    union all
    select 'actMovedAsApproved', act_id::text, coalesce(proposed ->> 'entries', entries, 'nothing'),
        coalesce(case when journal_id <> act_journal then act_entries || ', in another journal' else act_entries end, 'nothing')
      from read where step = 'carried out' and (journal_id is distinct from act_journal or entries is distinct from act_entries
        or journal_id is not null and entries is distinct from coalesce(proposed ->> 'entries', entries)
        or outcome = 'done' and (journal_id is null) = exists (select from act_kinds k where k.kind = act_kind and k.effect = 'money'))`,
};

/** The chain as a whole: its end, its operators, and the index of what is open. */
const whole = {
  name: "chain of acts",
  text: `with last as (select position, hash from act_steps order by position desc limit 1),
    counted as (select count(*) as steps from act_steps),
    setup as (select position from act_steps where target = 'bootstrap' and step = 'proposed' order by position limit 1),
    environment as (select value #>> '{}' as name from service_state where name = 'environment')
    select 'actChain', 'end', format('%s %s', c.position, ${hex("c.hash")}), format('%s %s', last.position, ${hex("last.hash")})
      from act_chain c left join last on true where (c.position, c.hash) is distinct from (last.position, last.hash)
    union all
    select 'actChain', 'steps', (last.position + 1)::text, steps::text from last, counted where steps <> last.position + 1
    union all
    select 'actByOperator', s.act_id::text, 'an operator', s.who from act_steps s
      where s.who in ('titian control', 'titian sandbox')
          and ((select name from environment) = 'production' or exists (select from operators))
        or s.who = 'titian setup' and s.position > (select position from setup) + 1
    union all
    select 'actIsOpen', o.act_id::text, coalesce(s.state, 'no act'), o.state from open_acts o
      left join lateral (select coalesce(outcome, step) as state from act_steps where act_id = o.act_id order by position desc limit 1) s on true
      where s.state is distinct from o.state
    union all
    select 'switchHasAct', w.name, 'a closing that was not refused', coalesce(s.kind || coalesce(', ' || d.step, ''), 'no act')
      from switches w left join act_steps s on s.act_id = w.act_id and s.step = 'proposed'
        left join act_steps d on d.act_id = w.act_id and d.step = 'refused'
      where (s.kind, s.target) is distinct from ('closing', w.name) or d.step is not null
    limit $1::int`,
};

const slice = 5_000;

/** At most `limit` findings, one slice of steps a statement. `isEverything`: from the first step; else the newest alone. */
export async function findActFaults(
  client: Client,
  { limit, isEverything }: { readonly limit: number; readonly isEverything: boolean },
): Promise<readonly Finding[]> {
  const findings = toFindings(await queryRows(client, { ...whole, values: [limit] }));
  const last = Number((await queryRows(client, { text: "select position from act_chain" }))[0]?.[0]);
  for (
    let first = isEverything ? 0 : Math.max(0, last - slice);
    first <= last && findings.length < limit;
    first += slice
  ) {
    findings.push(...toFindings(await queryRows(client, { ...steps, values: [first, first + slice - 1] })));
  }
  if (isEverything && findings.length < limit) findings.push(...(await findEarlierActs(client)));
  if (isEverything && findings.length < limit) findings.push(...(await findReferenceFaults(client, limit)));
  return findings.slice(0, limit);
}

/** Acts without steps: all of them are older than the chain, which begins with a hash of them. */
async function findEarlierActs(client: Client): Promise<readonly Finding[]> {
  const found = createHash("sha256");
  let count = 0;
  for (let id = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await queryRows(client, {
      name: "acts without steps",
      text: `with page as materialized (select * from acts where id > $1::uuid order by id limit $2::int)
        select page.id, case when s.position is null
          then ${hex("sha256(convert_to(jsonb_build_array(page.id, page.kind, page.reason, page.journal_id, page.entries)::text, 'UTF8'))")} end
        from page ${lookUp("act_steps", "s", "act_id = page.id")} order by page.id`,
      values: [id, slice],
    });
    for (const [, hash] of rows) {
      if (hash == null) continue;
      found.update(Buffer.from(hash, "hex"));
      count += 1;
    }
    const last = rows.at(-1)?.[0];
    if (last == null || rows.length < slice) break;
    id = last;
  }
  const [origin] = await queryRows(client, {
    text: "select concat_ws(' ', result ->> 'acts', result ->> 'hash') from act_steps where position = 0",
  });
  const [expected, now] = [origin?.[0] ?? "a beginning", `${count} ${found.digest("hex")}`];
  return expected === now
    ? []
    : [{ check: "actOfEarlierRelease", subject: "acts without steps", expected, found: now }];
}
