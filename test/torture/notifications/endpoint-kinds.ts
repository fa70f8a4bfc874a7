/** Partners' systems of the torture of notifications: what each does while it is sick, and what is kept of what it gets. */

/**
 * refusing: no connection · silent: never answers · slow: answers later than most time-outs of callers would allow, yet within
 * the sandbox's · flapping: some seconds of success, then some of HTTP 503 and of connections that are reset.
 */
export type EndpointKind = "healthy" | "refusing" | "silent" | "slow" | "flapping";

const counts: readonly (readonly [EndpointKind, number])[] = [
  ["healthy", 12],
  ["refusing", 1],
  ["silent", 2],
  ["slow", 3],
  ["flapping", 2],
];

/** Kinds of the endpoints, by their index. */
export const endpointKinds: readonly EndpointKind[] = counts.flatMap(([kind, count]) =>
  Array.from({ length: count }, () => kind),
);

export const isHealthy = (endpoint: number): boolean => endpointKinds[endpoint] === "healthy";

/** healthy: all succeed · sick: each as its kind · failing: all but the healthy answer HTTP 503. */
export type EndpointState = "healthy" | "sick" | "failing";

export interface EndpointsOptions {
  readonly kinds: readonly EndpointKind[];
  /** The provider's public key (PEM). */
  readonly providerKey: string;
}

export interface EndpointsRequest {
  /** Absent: as before. */
  readonly state?: EndpointState;
  /** True: the arrivals are asked for. */
  readonly arrivals?: boolean;
}

export interface EndpointsReport {
  /** By index. */
  readonly ports: readonly number[];
  /** All there were, in the order they came; empty where they were not asked for. */
  readonly arrivals: readonly Arrival[];
}

/** A notification that arrived. */
export interface Arrival {
  /** Index of the endpoint. */
  readonly endpoint: number;
  readonly externalId: string;
  /** `contentHash` of what was sent. */
  readonly content: string;
  /** Epoch ms. */
  readonly at: number;
  /** When success was answered (epoch ms); absent: it was not. */
  acceptedAt?: number;
}
