import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { onTestFinished } from "vitest";
import type { Connection } from "../connection.ts";
import { connectionFromKubeConfig } from "../node/kube-config-connection.ts";

/** A folder that goes with the test, which has to say which one it is when several run at once. */
export function temporaryFolder(whenFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "jobset-controller-"));
  whenFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The members of a kubeconfig's cluster and user; JSON is YAML as well. */
export interface KubeConfigParts {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

/** Writes a kubeconfig for a server, by default one of plain HTTP and a token. */
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

/** The way to the cluster of a kubeconfig, which is read again when the server does not accept its credentials. */
export function connectionIn(file: string): Connection {
  return connectionFromKubeConfig(() => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(file);
    return kubeConfig;
  });
}
