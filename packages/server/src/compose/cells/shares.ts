/** Turns of partners on what a cell has few of, with their limits. */
import type { Config } from "../../config/config.ts";
import { createPartnerShares, type PartnerShares, type ShareLimits } from "../../operations/partner-shares.ts";
import type { PoolSizes } from "./pools.ts";

export interface Shares {
  /** Turns of a service's reads, which are confirmed. */
  readonly readShares: PartnerShares;
  /** Turns of calls that ask a rail about an account (16): none of them keeps a connection. */
  readonly inquiryShares: PartnerShares;
  /** Turns of calls that ask for a customer's token: on the connections of administration, and never on all of them. */
  readonly grantShares: PartnerShares;
  /** Turns of bulks that are read and written. */
  readonly bulkShares: PartnerShares;
}

function readLimits({ reads }: PoolSizes): ShareLimits {
  return { running: reads, runningOfOnePartner: reads / 2, waiting: 2_048, waitingOfOnePartner: 1_024 };
}

const inquiryLimits: ShareLimits = {
  running: 64,
  runningOfOnePartner: 32,
  waiting: 512,
  waitingOfOnePartner: 256,
};

function grantLimits({ admin }: PoolSizes): ShareLimits {
  const running = Math.floor(admin / 2);
  return { running, runningOfOnePartner: Math.ceil(running / 2), waiting: 256, waitingOfOnePartner: 128 };
}

/** Limits of bulks: one of a partner is written while another is read; a third is another partner's. */
function bulkLimits({ bulksMax, partnerBulksMax }: Config): ShareLimits {
  return {
    running: 3,
    runningOfOnePartner: 2,
    waiting: Math.max(1, bulksMax - 3),
    waitingOfOnePartner: Math.max(1, partnerBulksMax - 2),
  };
}

export function createShares(
  config: Config,
  sizes: PoolSizes,
  confirmed: (plain: PartnerShares) => PartnerShares,
): Shares {
  return {
    readShares: confirmed(createPartnerShares(readLimits(sizes))),
    inquiryShares: createPartnerShares(inquiryLimits),
    grantShares: createPartnerShares(grantLimits(sizes)),
    bulkShares: createPartnerShares(bulkLimits(config)),
  };
}
