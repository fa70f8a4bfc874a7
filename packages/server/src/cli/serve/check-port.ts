/** Whether the service will be able to listen: asked before a database is made, which takes seconds. */
import { createServer } from "node:net";

/** @throws the system's error (EADDRINUSE …) when it will not. Port 0 is always free. */
export async function checkPort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}
