/** The parts of the sandbox that start when the service works: its seed data, movable clock, faults and control API. */
import type { OwnRails, ServiceParts, StartedExtension } from "@titian/server";
import {
  checkAdministration,
  type Core,
  createAccessTokens,
  findPartnerSecrets,
  followSecrets,
  listPartnerSecrets,
  homeCell,
} from "@titian/server/admin";
import { hideSecrets, type SecretFinder } from "@titian/explain";
import type { RailData, RailName, RailTerms } from "@titian/server/rails";
import { listScenarios } from "./rails/scenarios.ts";
import type { SimulatedControl } from "./rails/simulated-rails.ts";
import {
  answerError,
  cellOfAccount,
  type OpenCallRecord,
  openCallRecord,
  consoleDirectory,
  createConsoleRoutes,
  createSessions,
  type CallExplanations,
  controlCalls,
  createCallExplanations,
  type ControlDeps,
  writeAmount,
} from "@titian/control";
import { auditCells, createSandboxCells } from "./control/cell-deps.ts";
import type { DueWork } from "./control/clock-calls.ts";
import { followFaults } from "./faults/follow-faults.ts";
import { receiverTestsOf } from "./control/receiver-test-calls.ts";
import { createSandboxRoutes, reportTo, sandboxCalls } from "./control/sandbox-routes.ts";
import { type CallDisplay, display } from "./display-calls.ts";
import type { SandboxKeys } from "./keys.ts";
import { followMovedClock } from "./moved-clock.ts";
import type { SandboxFile } from "./sandbox-file.ts";
import { seedSandbox } from "./seed.ts";
import { listExampleRows } from "./try/example-rows.ts";
import type { SignDeps } from "./try/sign-request.ts";
import { createSignatureUtilities } from "./try/signature-utilities.ts";
import { createDueWork } from "./due-work.ts";

export interface Opened {
  readonly keys: SandboxKeys;
  readonly file: SandboxFile;
}

export interface ControlOptions {
  /** Rails that the program connects itself. */
  readonly ownRails: OwnRails;
  /** Steers the simulated ones. */
  readonly control: SimulatedControl;
  readonly callDisplay: CallDisplay | undefined;
}

/** Parts of the sandbox that are made for its control calls. */
interface Steered {
  readonly due: DueWork;
  /** Undefined for a rail that is not simulated. */
  controlOf(rail: RailName): SimulatedControl | undefined;
  readonly calls: OpenCallRecord;
  readonly explanations: CallExplanations;
}

/** Everything of the sandbox that runs when the service works: seed data, clock, faults, routes. */
export function startControl(
  parts: ServiceParts,
  opened: Opened,
  { ownRails, callDisplay, control }: ControlOptions,
): Promise<StartedExtension> {
  const due = createDueWork({ ...parts, clock: parts.core.clock, heldBack: () => control.heldBack() });
  const controlOf = (rail: RailName) => (ownRails[rail] === undefined ? control : undefined);
  const secrets = followSecrets(parts.core.reference, ownSecrets(opened.keys));
  const calls = openCallRecord((text) => hideSecrets(text, secrets()));
  const explanations = explanationsOf(parts.core, secrets);
  if (callDisplay !== undefined) display(calls, explanations, callDisplay);
  return startRoutes(parts, opened, { due, controlOf, calls, explanations });
}

async function startRoutes(
  { core, cells, handlers, security }: ServiceParts,
  { keys, file }: Opened,
  { due, controlOf, calls, explanations }: Steered,
): Promise<StartedExtension> {
  const { config, clock, log, pool, adminPool: database, reference, onProgress, checkAddress } = core;
  for (const { core: one } of cells.all()) await checkAdministration(one.adminPool, one.administrationPool);
  await using stack = new AsyncDisposableStack();
  const movedClock = await followMovedClock({ clock, reads: pool, database, log });
  stack.defer(() => movedClock.close());
  stack.use(explanations);
  const faults = await followFaults({ reads: pool, database, log });
  stack.defer(() => faults.close());
  const refresh = () => reference.refresh();
  const byPartnerId = (partnerId: string) => reference.byPartnerId(partnerId);
  let listensAt = "";
  const acting = { refresh, checkAddress, security };
  const controlled = createSandboxCells({ core, cells }, acting);
  const home = controlled.depsOf(homeCell);
  const ofNumber = (named: string) => controlled.depsOf(cellOfAccount(named, controlled));
  const queriesOfFurther = () => cells.all().flatMap(({ core: one }) => (one === core ? [] : [one]));
  const admin = { ...home, ...acting, queriesOfFurther, accountsOf: (named: string) => ofNumber(named).reads };
  const numbersOfCells = controlled.numbers();
  await seedSandbox({ ...admin, ofNumber, numbersOfCells, keys, onProgress, reference, handlers });
  const routes = createSandboxRoutes({
    ...admin,
    cells: controlled,
    cellsOfNode: cells,
    movedClock,
    faults,
    due,
    rails: railControls(cells, { due, controlOf }),
    log,
    access: {
      controlToken: keys.controlToken,
      sessions: createSessions(keys.controlToken, clock),
      hasProxies: config.trustedProxies.length > 0,
    },
    audit: () => auditCells(core, keys.provider.publicKey),
    testReceiver: receiverTestsOf(core, keys.provider.privateKey),
    byPartnerId,
    calls: { ...calls, explanations, clock },
    signing: signDepsOf(core, keys, () => listensAt),
  });
  const owned = stack.move();
  return {
    calls: { observer: calls.record.observer, explain: explanations.debugMessage, faults },
    onStopping: () => calls.streams.close(),
    routes: {
      "/sandbox": routes,
      "/utilities": createSignatureUtilities({
        answerError: (error, request, reply) => answerError(reportTo(log), error, request, reply),
      }),
      "/": createConsoleRoutes({ directory: consoleDirectory(), host: "sandbox" }),
    },
    sandboxParts,
    documentSource: {
      rows: () => listExampleRows({ ...admin, byPartnerId }),
      serverUrl: (host) => addressAsked(config, host) ?? listensAt,
    },
    onListening: (baseUrl) => {
      listensAt = baseUrl;
      file.publish({ ...placeInFile(core, controlOf("interbank") !== undefined), baseUrl }, keys);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function signDepsOf(core: Core, { partners }: SandboxKeys, listensAt: () => string): SignDeps {
  const { clock, config, reference } = core;
  const tokens = createAccessTokens(core);
  return {
    clock,
    keys: partners,
    byPartnerId: (partnerId) => reference.byPartnerId(partnerId),
    issueToken: async (partnerKey) => (await tokens.issue(partnerKey)).token,
    place: () => ({ ...placeOf(config), baseUrl: listensAt() }),
  };
}

/** Parts of the reference at `/docs` that are the sandbox's. */
const sandboxParts = {
  controlCalls: [...controlCalls, ...sandboxCalls],
  mount: "/sandbox",
  document: "/sandbox/openapi.json",
  console: "/",
  tryOperation: "/#/try/",
};

/** Members of `sandbox.json` besides the address and the credentials. */
function placeInFile({ config, database, reference }: Core, isInterbankSimulated: boolean) {
  return {
    ...placeOf(config),
    bankCode: config.bankCode,
    databaseUrl: database.url,
    administrationUrl: database.administrationUrl,
    providerClientKey: config.notifications.clientId,
    clientKeyOf: (partnerId: string) => reference.byPartnerId(partnerId)?.clientKey,
    fees: feesOf(reference.current().rails.rails),
    // They describe the simulated interbank rail: a rail of the program's own has other outcomes.
    scenarios: isInterbankSimulated ? listScenarios() : [],
  };
}

/** Fees as `sandbox.json` has them. */
export function feesOf({ interbank, rtgs, skn }: RailData["rails"]) {
  return { interbank: feeOf(interbank), rtgs: feeOf(rtgs), skn: feeOf(skn) };
}

function feeOf({ fee, currency }: RailTerms): string {
  return writeAmount(fee, currency);
}

const otherPartnersMax = 30;

/** Secrets that the sandbox itself keeps; of the master key also the bytes, which other Base64 stands for. */
function ownSecrets({ controlToken, masterKey }: SandboxKeys): readonly string[] {
  return [controlToken, masterKey, Buffer.from(masterKey, "base64").toString("latin1")];
}

function explanationsOf(core: Core, secrets: () => SecretFinder): CallExplanations {
  const { clock, config, reference } = core;
  const { paths, timestampWindowMs } = config;
  return createCallExplanations({
    clock,
    paths,
    secrets,
    firstPartners: () => listPartnerSecrets(reference, timestampWindowMs, otherPartnersMax),
    findPartner: (partnerId) => findPartnerSecrets(reference, partnerId, timestampWindowMs),
    wasIssuedHere: createAccessTokens(core).wasIssuedHere,
  });
}

/** Address of the service in its document: that of the settings, or that by which this caller reached it. */
function addressAsked({ publicUrl, tls }: Core["config"], host: string | undefined): string | undefined {
  return publicUrl ?? (host === undefined ? undefined : `${tls ? "https" : "http"}://${host}`);
}

/** Where calls go: the announced prefix and version. */
function placeOf({ paths: { prefixes, versions } }: Core["config"]) {
  return { pathPrefix: prefixes[0] ?? "", version: versions[0] ?? "" };
}

/** Steering a rail has taken effect on this node, and what it made due is recorded, when the call is answered. */
function railControls(
  cells: ServiceParts["cells"],
  { due, controlOf }: Pick<Steered, "due" | "controlOf">,
): ControlDeps["rails"] {
  return (rail) => {
    const control = controlOf(rail);
    if (!control) return undefined;
    return {
      mode: () => control.mode(rail),
      setMode: async (mode) => {
        await control.setMode(rail, mode);
        if (mode === "limbo" || mode === "down") return;
        await cells.wake(rail);
        if (mode === "normal") await due.settle();
      },
      settle: async () => {
        const settled = await control.settle(rail);
        await due.settle();
        return settled;
      },
    };
  };
}
