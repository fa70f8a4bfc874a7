/** Partners by id. */
import type { PartnerView } from "@titian/control/types";
import { ActForms } from "../../acts/act-forms.tsx";
import { onboardingForm } from "../../acts/credential-forms.ts";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Page, Panel } from "../../design/page.tsx";
import { type Column, List } from "../../design/table.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { forms } from "../../texts/operations/forms.ts";
import { partners } from "../../texts/operations/partners.ts";
import { shell } from "../../texts/shell.ts";
import { rateOf } from "./rate.ts";

const everyMs = 10_000;

export function PartnersPage() {
  const texts = partners();
  const { data, error, reload } = useControl(call("GET /partners"), everyMs);
  const columns: readonly Column<PartnerView>[] = [
    {
      head: common().partner,
      cell: ({ partnerId }) => <a href={hrefOf(["world", "partners", partnerId])}>{partnerId}</a>,
    },
    { head: texts.name, cell: ({ name }) => name },
    { head: common().state, cell: ({ status }) => <StateBadge state={status} /> },
    { head: texts.services, cell: ({ services }) => services.join(", ") },
    { head: texts.rate, cell: rateOf },
    { head: texts.notificationAddress, cell: ({ notificationAddress }) => notificationAddress ?? common().none },
  ];
  return (
    <Page title={shell().partners} lead={texts.lead}>
      <Panel isFlush>
        <List
          caption={shell().partners}
          columns={columns}
          rows={data?.partners}
          keyOf={({ partnerId }) => partnerId}
          error={error}
          onRetry={reload}
          empty={{ title: texts.none }}
        />
      </Panel>
      <ActForms title={forms().kinds.addPartner.action} forms={[onboardingForm()]} />
    </Page>
  );
}
