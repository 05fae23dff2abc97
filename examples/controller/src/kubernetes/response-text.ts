import type { IncomingMessage } from "node:http";

/** An answer as it comes, to its end or as far as the connection lasts. */
export async function* piecesOf(response: IncomingMessage): AsyncGenerator<string> {
  try {
    yield* response.setEncoding("utf8");
  } catch {
    // A connection goes when its server does; what the next request meets tells more.
  }
}

/** All that comes of an answer. */
export async function textIn(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of piecesOf(response)) text += piece;
  return text;
}

/** What JSON says; undefined for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
