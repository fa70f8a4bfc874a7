/** Checks that the service can listen, before the slow start of the database. */
import { createServer } from "node:net";

/** @throws the system's error (EADDRINUSE …) when it cannot. Port 0 is always free. */
export async function checkPort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}
