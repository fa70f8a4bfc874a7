/** A handler's effect that happens once: the event's key in the handler's own transaction, as the documents advise. */
import type { NotificationContext } from "@titian/client";
import type { Pool } from "pg";

export const createBookings = `
create table booked_notifications (
  service_code text, number text, status text, primary key (service_code, number, status)
);
create table bookings (number text not null)`;

const bookOnce = `
with new as (
  insert into booked_notifications (service_code, number, status) values ($1, $2, $3) on conflict do nothing returning number
)
insert into bookings select number from new`;

export async function book(
  pool: Pool,
  key: Pick<NotificationContext, "serviceCode" | "number" | "status">,
): Promise<void> {
  await pool.query(bookOnce, [key.serviceCode, key.number, key.status]);
}
