import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { onTestFinished } from "vitest";
import type { Connection } from "../connection.ts";
import { connectionFromKubeConfig } from "../node/kube-config-connection.ts";

/** Creates a folder that is removed after the test. Concurrent tests must pass their own `onTestFinished`. */
export function temporaryFolder(whenFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "jobset-controller-"));
  whenFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The members of a kubeconfig's cluster and user. JSON is valid YAML. */
export interface KubeConfigParts {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

/** Writes a kubeconfig for a server. By default it uses plain HTTP and a token. */
export function writeKubeConfig(
  file: string,
  server: string,
  {
    cluster = { "insecure-skip-tls-verify": true },
    user = { token: "secret" },
  }: KubeConfigParts = {},
): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "this", user: "me" } }],
    clusters: [{ name: "this", cluster: { server, ...cluster } }],
    users: [{ name: "me", user }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Returns the connection of a kubeconfig, which is read again if the server rejects the credentials. */
export function connectionIn(file: string): Connection {
  return connectionFromKubeConfig(() => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(file);
    return kubeConfig;
  });
}
