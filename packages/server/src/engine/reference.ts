/** Reference data as `decide` sees it: a versioned copy, refreshed by every node within 2 s, never money. */

export interface PartnerTerms {
  readonly key: string;
  readonly partnerId: string;
  readonly status: "active" | "suspended";
}

export interface Reference {
  readonly version: number;
  /** By internal id. */
  readonly partners: ReadonlyMap<string, PartnerTerms>;
  /** How long an external id stays taken after its first use (ms); decision D7. */
  readonly duplicateWindowMs: number;
}
