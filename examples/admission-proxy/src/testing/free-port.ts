import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Well above the ports that programs have by name, and below those that Linux chooses for connections. */
const FIRST = 16_384;
const FIRST_EPHEMERAL = 32_768;

/**
 * A port on which no process listens now. The system does not choose it for a connection, so it stays free until the process
 * listens that it is for.
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
