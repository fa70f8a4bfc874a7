/**
 * The suspense account of a rail and currency has parts. Transfers of earlier releases are on one of 16, by their payer; new ones
 * are all on one. A transfer keeps its part until its result.
 */

/** The part of new transfers. */
export const newTransfersPart = 0;

/** Parts that there may be, from 0. */
export const suspensePartCount = 16;
