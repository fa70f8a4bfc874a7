/** Page of an address. */
import type { ComponentChildren } from "preact";
import { isProduction } from "../api/host.ts";
import { Page } from "../design/page.tsx";
import { ActPage } from "../pages/acts/act-page.tsx";
import { ActsPage } from "../pages/acts/acts-page.tsx";
import { CallPage, KeptCallPage } from "../pages/calls/call-page.tsx";
import { CallsPage } from "../pages/calls/calls-page.tsx";
import { FindPage } from "../pages/home/find-page.tsx";
import { HomePage } from "../pages/home/home-page.tsx";
import { OperatorsPage } from "../pages/operators/operators-page.tsx";
import { PartnerPage } from "../pages/partners/partner-page.tsx";
import { PartnersPage } from "../pages/partners/partners-page.tsx";
import { RecordPage } from "../pages/record/record-page.tsx";
import { TryPage } from "../pages/try/try-page.tsx";
import { AccountPage } from "../pages/world/account-page.tsx";
import { AccountsPage } from "../pages/world/accounts-page.tsx";
import { AuditPage } from "../pages/world/audit-page.tsx";
import { ClockPage } from "../pages/world/clock-page.tsx";
import { FaultsPage } from "../pages/world/faults-page.tsx";
import { BulksPage, HoldsPage, PaymentRequestsPage, TransfersPage } from "../pages/world/lists.tsx";
import { NotificationsPage } from "../pages/world/notifications-page.tsx";
import { OverviewPage } from "../pages/world/overview-page.tsx";
import { RecordsPage } from "../pages/world/records-page.tsx";
import { RailsPage } from "../pages/world/rails-page.tsx";
import { hrefOf } from "../routing/router.ts";
import { shell } from "../texts/shell.ts";

export function pageOf([area, name, ...rest]: readonly string[], query: URLSearchParams): ComponentChildren {
  if (rest.length > 0 && area !== "world") return <NotFound />;
  switch (area) {
    case undefined:
      return <HomePage />;
    case "find":
      return (
        <FindPage key={query.get("number")} number={query.get("number") ?? ""} partnerId={query.get("partner") ?? ""} />
      );
    case "record":
      return name === undefined ? <NotFound /> : <RecordPage referenceNo={name} query={query} />;
    case "calls":
      if (isProduction()) return name === undefined ? <NotFound /> : <KeptCallPage id={name} />;
      return name === undefined ? <CallsPage query={query} /> : <CallPage id={name} />;
    case "try":
      return isProduction() ? <NotFound /> : <TryPage operation={name} query={query} />;
    case "world":
      return worldPageOf(name, rest);
    default:
      return <NotFound />;
  }
}

function worldPageOf(name: string | undefined, [item]: readonly string[]): ComponentChildren {
  switch (name) {
    case undefined:
      return isProduction() ? <RecordsPage /> : <OverviewPage />;
    case "accounts":
      return item === undefined ? <AccountsPage /> : <AccountPage accountNo={item} />;
    case "holds":
      return <HoldsPage />;
    case "transfers":
      return <TransfersPage />;
    case "payment-requests":
      return <PaymentRequestsPage />;
    case "bulks":
      return <BulksPage />;
    case "notifications":
      return <NotificationsPage />;
    case "acts":
      return item === undefined ? <ActsPage /> : <ActPage actId={item} />;
    case "rails":
      return <RailsPage />;
    case "partners":
      return item === undefined ? <PartnersPage /> : <PartnerPage partnerId={item} />;
    case "operators":
      return <OperatorsPage />;
    default:
      return isProduction() ? <NotFound /> : simulationPageOf(name);
  }
}

function simulationPageOf(name: string): ComponentChildren {
  switch (name) {
    case "clock":
      return <ClockPage />;
    case "faults":
      return <FaultsPage />;
    case "audit":
      return <AuditPage />;
    default:
      return <NotFound />;
  }
}

function NotFound() {
  const texts = shell();
  return (
    <Page title={texts.notFoundTitle} lead={texts.notFoundText}>
      <a href={hrefOf([])}>{texts.toHome}</a>
    </Page>
  );
}
