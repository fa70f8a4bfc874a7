/** What is measured of notifications: how fast they are delivered, and what they cost those who make transfers meanwhile. */
import type { Measured } from "../subject.ts";

/** How notifications are signed: by RSA (mode 2, the default), or by a partner's token and HMAC (mode 1). */
export const deliveryModes = ["asymmetric", "symmetric"] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

export interface DeliveryWindow {
  /** A loop that signs and posts prepared bodies with undici, and does nothing else. */
  readonly bare: Measured;
  /** From the commit of the events to the last recorded delivery. */
  readonly service: Measured;
  /** Intrabank transfers (17), alone and while notifications go out at the pace. */
  readonly transfersAlone: Measured;
  readonly transfersMeanwhile: Measured;
  /** Notifications a second that were delivered in that window. */
  readonly deliveredMeanwhile: number;
}

export type DeliveryRound = Readonly<Record<DeliveryMode, DeliveryWindow>>;

/** Partners, each with an address of its own at one endpoint. */
export const partnerCount = 32;
/** Requests under way at once: as many as the service has. */
export const concurrency = 256;
export const transferCallers = 256;
/** Notifications a second, while transfers are made. */
export const pacePerSecond = 1_000;
