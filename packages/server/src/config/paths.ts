/** Settings of the paths at which operations are served (spec D1). */
import {
  array,
  findAliasFault,
  operationByCode,
  type OperationName,
  type OperationRow,
  operationRows,
  optional,
  type ServedPaths,
  string,
} from "@titian/contract";

export const pathVariables = {
  TITIAN_PATH_PREFIX: array(string({ pattern: "^(/[A-Za-z0-9._~-]+)*$" }), {
    default: [""],
    description: "empty, or paths such as /snap without a slash at the end, separated by commas",
  }),
  TITIAN_VERSIONS: array(string({ pattern: "^v[0-9]+([.][0-9]+)?$" }), {
    default: ["v1.0"],
    minItems: 1,
    description: "versions such as v1.0, separated by commas",
  }),
  TITIAN_PATH_ALIASES: array(string({ pattern: "^[A-Za-z0-9]+=[^=]+$" }), {
    default: [],
    description: "pairs of an operation and a path, such as intrabankTransfer=transfer/intrabank, separated by commas",
  }),
  TITIAN_PUBLIC_URL: optional(
    string({
      pattern: "^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$|^https?://\\[[0-9A-Fa-f:.]+\\](:[0-9]{1,5})?$",
      description: "an address such as https://api.bank.example, without a path or a slash at its end",
    }),
  ),
};

interface PathSettings {
  readonly TITIAN_PATH_PREFIX: readonly string[];
  readonly TITIAN_VERSIONS: readonly string[];
  readonly TITIAN_PATH_ALIASES: readonly string[];
  readonly TITIAN_PUBLIC_URL?: string | undefined;
}

export interface ServedPlace {
  /** Where operations are served (spec D1). */
  readonly paths: Required<ServedPaths>;
  /** Address at which partners reach the service, for its documentation; absent: the sandbox's is the one asked. */
  readonly publicUrl?: string;
}

/** Adds a fault for each alias that cannot be served. */
export function readPlace(settings: PathSettings, sandbox: boolean, faults: string[]): ServedPlace {
  const aliases: Partial<Record<OperationName, string[]>> = {};
  for (const pair of settings.TITIAN_PATH_ALIASES) {
    const [named = "", suffix = ""] = pair.split("=");
    const operation = findCalled(named);
    if (operation === undefined) {
      faults.push(`TITIAN_PATH_ALIASES: there is no operation ${named} that partners call`);
      continue;
    }
    const fault = findAliasFault(suffix, aliases);
    if (fault === undefined) (aliases[operation.name] ??= []).push(suffix);
    else faults.push(`TITIAN_PATH_ALIASES: ${JSON.stringify(suffix)} ${fault}`);
  }
  const { TITIAN_PATH_PREFIX: prefixes, TITIAN_VERSIONS: versions, TITIAN_PUBLIC_URL: publicUrl } = settings;
  return {
    paths: { prefixes, versions, aliases, anyRoot: sandbox },
    ...(publicUrl !== undefined && { publicUrl }),
  };
}

/** By name or service code. */
function findCalled(named: string): OperationRow | undefined {
  const row = operationByCode(named) ?? operationRows.find(({ name }) => name === named);
  return row?.direction === "toProvider" ? row : undefined;
}
