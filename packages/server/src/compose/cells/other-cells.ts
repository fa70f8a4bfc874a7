/** Other cells of a node, as operations of one reach them. */
import type { MerchantFunds } from "../../operations/holds/merchant-funds.ts";
import type { PayeeCell } from "../../operations/transfers/see-payee.ts";
import type { TransitShipper } from "../../transit/ship-transit.ts";

export interface OtherCells {
  cell(number: number): PayeeCell | undefined;
  stream(from: number, to: number): TransitShipper | undefined;
  /** Money of merchants in all cells, as one reaches it. */
  merchantFunds(cell: number): MerchantFunds;
}
