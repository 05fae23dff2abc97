import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { CertificateAuthority } from "../../admission-proxy/src/testing/certificate-authority.ts";
import { freePort } from "../../admission-proxy/src/testing/free-port.ts";
import { ApiServer } from "./api-server.ts";

const file = join(import.meta.dirname, "..", "dist", "pepr-jobset.js");
const secretPath = "a-path";

/** The fields of Pepr's response. */
export interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly patch?: string;
  readonly result?: string;
  readonly status?: { readonly code: number; readonly message: string };
  readonly warnings?: readonly string[];
}

/** The built module in its own process, with the API server that it uses. */
export class RunningModule {
  readonly #authority = new CertificateAuthority();
  readonly api = new ApiServer(this.#authority.issue());
  readonly #folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  #child: ChildProcess | undefined;
  #port = 0;
  #output = "";

  async start(): Promise<void> {
    const { cert, key } = this.#authority.issue();
    const inFolder = (name: string, text: string) => {
      writeFileSync(join(this.#folder, name), text);
      return join(this.#folder, name);
    };
    this.#port = await freePort();
    this.#child = spawn(process.execPath, [file], {
      env: {
        ...process.env,
        PORT: String(this.#port),
        PEPR_API_PATH: secretPath,
        SSL_CERT_PATH: inFolder("tls.crt", cert),
        SSL_KEY_PATH: inFolder("tls.key", key),
        KUBECONFIG: inFolder(
          "kubeconfig",
          createKubeconfig(await this.api.start(), this.#authority.cert),
        ),
        LOG_LEVEL: "debug",
      },
    });
    await this.#waitForOutput(/Controller startup complete/);
  }

  async stop(): Promise<void> {
    this.api.stop();
    if (this.#child?.exitCode === null) {
      this.#child.kill("SIGKILL");
      await once(this.#child, "exit");
    }
    rmSync(this.#folder, { recursive: true });
  }

  /** Sends a review to Pepr's webhook for a stage, as an API server does. */
  async review(stage: "mutate" | "validate", request: object): Promise<Response> {
    const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const text = await this.#post(`/${stage}/${secretPath}`, JSON.stringify(body));
    return (JSON.parse(text) as { readonly response: Response }).response;
  }

  #post(path: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { port: this.#port, path, method: "POST", ca: this.#authority.cert };
      const headers = { "content-type": "application/json" };
      const request = https.request({ ...options, headers }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode}: ${text}\n${this.#output.slice(-2000)}`));
      });
      request.on("error", reject).end(body);
    });
  }

  /** Waits until the module has written a matching line. Fails if it exits before. */
  #waitForOutput(words: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const keep = (chunk: Buffer) => {
        this.#output += chunk;
        if (words.test(this.#output)) resolve();
      };
      child?.stdout?.on("data", keep);
      child?.stderr?.on("data", keep);
      child?.on("exit", () => reject(new Error(this.#output)));
    });
  }
}

function createKubeconfig(server: string, authority: string): string {
  const cluster = {
    server,
    "certificate-authority-data": Buffer.from(authority).toString("base64"),
  };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user: { token: "t" } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
  });
}
