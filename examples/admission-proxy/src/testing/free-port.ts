import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Above the well-known ports, and below the ports that Linux assigns to connections. */
const FIRST = 16_384;
const FIRST_EPHEMERAL = 32_768;

/**
 * Returns a port on which no process listens. The system does not assign it to connections, so it stays free until the
 * intended process uses it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, FIRST_EPHEMERAL);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
