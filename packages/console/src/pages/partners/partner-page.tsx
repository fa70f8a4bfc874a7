/** One partner: its state and terms, what waits, and its keys and secrets. */
import type { PartnerDetailsView } from "@titian/control/types";
import { ActForms } from "../../acts/act-forms.tsx";
import { retirementForms } from "../../acts/credential-forms.ts";
import { OpenAct } from "../../acts/act-parts.tsx";
import { partnerForms } from "../../acts/partner-forms.ts";
import { call } from "../../api/call.ts";
import { mayCall } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { now } from "../../clock.ts";
import { Badge } from "../../design/badge.tsx";
import { type Fact, Facts } from "../../design/facts.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Failure, Skeleton } from "../../design/states.tsx";
import { type Column, List } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { forms } from "../../texts/operations/forms.ts";
import { partners } from "../../texts/operations/partners.ts";
import { shell } from "../../texts/shell.ts";
import { rateOf } from "./rate.ts";

const everyMs = 5_000;
const dayMs = 86_400_000;

type Credential = PartnerDetailsView["credentials"][number];

export function PartnerPage({ partnerId }: { readonly partnerId: string }) {
  const texts = partners();
  const { data, error, reload } = useControl(call("GET /partners/{partnerId}", { params: { partnerId } }), everyMs);
  // A suspension may wait beside another act.
  const { data: open } = useControl(call("GET /acts", { query: { target: partnerId, open: "true" } }), everyMs);
  return (
    <Page
      title={data ? `${partnerId}: ${data.name}` : partnerId}
      back={{ href: hrefOf(["world", "partners"]), label: shell().partners }}
      actions={data && <StateBadge state={data.status} />}
    >
      {!data && <Panel>{error ? <Failure error={error} onRetry={reload} /> : <Skeleton lines={6} />}</Panel>}
      {data && (
        <>
          {open?.acts.map((act) => (
            <OpenAct key={act.actId} act={act} />
          ))}
          <Panel title={texts.terms}>
            <Facts facts={factsOf(data)} />
          </Panel>
          <ActForms title={forms().panel} forms={partnerForms(data)} />
          <Panel title={texts.credentials} lead={texts.credentialsLead} isFlush>
            <List
              caption={texts.credentials}
              columns={columnsOf(data)}
              rows={data.credentials}
              keyOf={({ id }) => id}
              error={undefined}
              empty={{ title: texts.noCredentials }}
            />
          </Panel>
        </>
      )}
    </Page>
  );
}

function factsOf(data: PartnerDetailsView): readonly Fact[] {
  const texts = partners();
  return [
    [texts.services, data.services.join(", ")],
    [texts.rate, rateOf(data)],
    [texts.signing, texts.signingNames[data.signing]],
    [texts.clientKey, <span class="number">{data.clientKey}</span>],
    [texts.channelId, data.channelId],
    [texts.addresses, data.addresses.join(", ") || texts.anyAddress],
    [texts.certificates, data.clientCertificates.length > 0 && data.clientCertificates.length],
    [texts.tlsMin, data.tlsMin],
    [texts.notificationAddress, data.notificationAddress ?? common().none],
    [texts.notificationSigning, texts.signingNames[data.notificationSigning]],
    [texts.networks, data.notificationNetworks.join(", ")],
  ];
}

const tones = { valid: "good", expiring: "warn", expired: "plain" } as const;

function columnsOf(partner: PartnerDetailsView): readonly Column<Credential>[] {
  const texts = partners();
  const mayRetire = mayCall("POST /partners/{partnerId}/keys/{credentialId}/retire");
  const ageOf = (since: string) => texts.age(Math.max(0, Math.floor((now() - Date.parse(since)) / dayMs)));
  return [
    { head: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { head: common().state, cell: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge> },
    { head: texts.id, cell: ({ id }) => <span class="number">{id}</span> },
    {
      head: texts.createdAt,
      cell: ({ createdAt }) => (
        <span>
          <When at={createdAt} kind="day" /> <span class="muted">({ageOf(createdAt)})</span>
        </span>
      ),
    },
    {
      head: texts.expiresAt,
      cell: ({ expiresAt }) => (expiresAt == null ? texts.noEnd : <When at={expiresAt} kind="minute" />),
    },
    ...(mayRetire
      ? [{ head: texts.act, cell: (one: Credential) => <ActForms forms={retirementForms(partner, one)} /> }]
      : []),
  ];
}
