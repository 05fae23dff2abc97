import * as https from "node:https";
import type { ControlPlane } from "./control-plane.ts";

/** How an API server responds to a new Job: 201, or an error with its causes. */
export interface ServerVerdict {
  readonly code: number;
  readonly errors: readonly {
    readonly type: string;
    readonly field: string;
    readonly detail: string;
  }[];
}

const agent = new https.Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });

/**
 * Sends a new Job to the API server, which does not store it.
 *
 * @returns undefined if the server closes the connection, as it does when its code panics
 */
export async function tryCreateJob(
  plane: ControlPlane,
  job: unknown,
): Promise<ServerVerdict | undefined> {
  try {
    return await sendJob(plane, job);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return undefined;
    throw error;
  }
}

function sendJob(plane: ControlPlane, job: unknown): Promise<ServerVerdict> {
  const path = "/apis/batch/v1/namespaces/default/jobs?dryRun=All";
  return new Promise((resolve, reject) => {
    const request = https.request(
      `${plane.server}${path}`,
      {
        method: "POST",
        agent,
        headers: { authorization: `Bearer ${plane.token}`, "content-type": "application/json" },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => {
          try {
            resolve(readVerdict(response.statusCode ?? 0, JSON.parse(body)));
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify(job));
  });
}

interface Status {
  readonly message?: string;
  readonly details?: {
    readonly causes?: readonly { reason?: string; message?: string; field?: string }[];
  };
}

function readVerdict(code: number, status: Status): ServerVerdict {
  if (code === 201) return { code, errors: [] };
  const causes = status.details?.causes ?? [{ message: status.message }];
  return {
    code,
    errors: causes.map(({ reason = "", field = "", message = "" }) => ({
      type: reason,
      field,
      detail: message,
    })),
  };
}
