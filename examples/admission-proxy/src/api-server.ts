import { isObject } from "@jobset-ts/api/kubernetes";

/** The API server that is read from, and as whom. */
export interface ApiServerOptions {
  /** Its URL, with the path that a gateway in front of it may want. */
  readonly server: string;
  /** A bearer token. It is asked for before each request, since service account tokens are renewed; none is sent when it is empty. */
  readonly token?: () => string | Promise<string>;
  /** What sends the requests; by default the runtime's own. */
  readonly fetch?: Fetch;
  /** How long one answer may take, in milliseconds; default 5,000. */
  readonly answerWithinMs?: number;
}

/** The web's `fetch`, as far as it is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Until when something is of use. */
export interface Deadline extends AbortSignal {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

/** What the API server says to a GET. */
export type Answer =
  | { readonly outcome: "Found"; readonly object: JsonObject }
  /** In the API server's own words: there is no object of that name. */
  | { readonly outcome: "Absent" }
  /** One line that says what was asked and what came of it. */
  | { readonly outcome: "Failed"; readonly cause: string };

/** A JSON object; nothing is known of its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A signal that aborts after some time, and says when. */
export function deadlineIn(milliseconds: number): Deadline {
  const endsAt = Date.now() + milliseconds;
  return Object.assign(AbortSignal.timeout(milliseconds), { endsAt });
}

/** GET requests to an API server. What goes wrong is a value, never thrown. */
export class ApiServer {
  readonly #server: string;
  readonly #token: () => string | Promise<string>;
  readonly #fetch: Fetch;
  readonly #answerWithinMs: number;

  /** @throws TypeError when `server` is no URL to fetch from */
  constructor({
    server,
    token = () => "",
    fetch = (url, init) => globalThis.fetch(url, init),
    answerWithinMs = 5_000,
  }: ApiServerOptions) {
    if (!/^https?:$/.test(protocolOf(server))) throw new TypeError(`"${server}" is no URL`);
    this.#server = server.replace(/\/+$/, "");
    this.#token = token;
    this.#fetch = fetch;
    this.#answerWithinMs = answerWithinMs;
  }

  /** Asks, and asks again when the server says when to, unless that is too late. */
  async get(path: string, deadline: Deadline): Promise<Answer> {
    for (;;) {
      const answer = await this.#getOnce(path, deadline);
      if (answer.outcome !== "Busy") return answer;
      const { cause, retryAfterMs } = answer;
      if (Date.now() + retryAfterMs >= deadline.endsAt) {
        return { outcome: "Failed", cause: `${cause}; asking again is too late` };
      }
      await pause(retryAfterMs, deadline);
    }
  }

  async #getOnce(path: string, deadline: Deadline): Promise<Answer | Busy> {
    const late = AbortSignal.timeout(this.#answerWithinMs);
    const failed = (why: string): Answer => {
      return { outcome: "Failed", cause: `GET ${path}: ${inOneLine(why)}` };
    };
    try {
      const token = (await this.#token()).trim();
      // What refuses a header quotes it, and so would give the token away.
      if (!/^[\x21-\x7e]*$/.test(token)) return failed("the token is none");
      const response = await this.#fetch(this.#server + path, {
        headers: {
          accept: "application/json",
          "user-agent": "jobset-ts-admission-proxy",
          ...(token !== "" && { authorization: `Bearer ${token}` }),
        },
        // An API server sends nobody elsewhere, and elsewhere is not trusted.
        redirect: "manual",
        signal: AbortSignal.any([deadline, late]),
      });
      return read(response.status, response.headers, await response.text(), failed);
    } catch (error) {
      if (deadline.aborted) return failed("no answer in time");
      if (late.aborted) return failed(`no answer within ${this.#answerWithinMs / 1000} s`);
      return failed(wordsOf(error));
    }
  }
}

/** The server has too much to do, and says when to come again. */
interface Busy {
  readonly outcome: "Busy";
  readonly cause: string;
  readonly retryAfterMs: number;
}

function read(
  status: number,
  headers: Headers,
  text: string,
  failed: (why: string) => Answer,
): Answer | Busy {
  const body = jsonObjectOf(text);
  if (status === 200) {
    return body === undefined
      ? failed(`the answer is no JSON object: ${shown(text)}`)
      : { outcome: "Found", object: body };
  }
  // Anything may answer 404 in front of an API server; only its own word makes an object absent.
  if (status === 404 && body?.kind === "Status" && body.reason === "NotFound") {
    return { outcome: "Absent" };
  }
  const message = body?.kind === "Status" ? String(body.message) : shown(text);
  const failure = failed(`${status}: ${message}`);
  const retryAfterSeconds = Number(headers.get("retry-after") ?? Number.NaN);
  const isBusy = (status === 429 || status === 503) && retryAfterSeconds >= 0;
  return isBusy && failure.outcome === "Failed"
    ? { ...failure, outcome: "Busy", retryAfterMs: Math.max(retryAfterSeconds * 1000, 100) }
    : failure;
}

function jsonObjectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value as object | null) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a text, of which nobody knows what it is. */
function shown(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(text.slice(0, 80));
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return "";
  }
}

/** Waits, but no longer than until the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** What an error says. `fetch` of some runtimes says only that it failed, and has the cause beside that. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, name } = error;
  const { code } = error as { code?: unknown };
  const words = message || (typeof code === "string" ? code : name);
  return cause === undefined ? words : `${words}: ${wordsOf(cause)}`;
}

function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}
