import { mkdirSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { loadKubeConfig } from "./kube-config.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("loadKubeConfig rejects an invalid kubeconfig with one sentence that names the file", () => {
  const whole = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: "https://127.0.0.1:6443" } }],
    users: [{ name: "u", user: { token: "t" } }],
  };

  it.each<[string, string | object, string]>([
    ["empty", "", "Failed to load YAML"],
    ["no YAML", "a: [", "unexpected end"],
    ["text", "hello", "the file is not a kubeconfig"],
    [
      "without a current context",
      { ...whole, "current-context": undefined },
      'the current context "" does not exist',
    ],
    [
      "with another current context",
      { ...whole, "current-context": "x" },
      'the current context "x" does not exist',
    ],
    ["without the cluster", { ...whole, clusters: [] }, 'context "c": cluster "k" does not exist'],
    ["without the user", { ...whole, users: [] }, 'context "c": user "u" does not exist'],
    [
      "with a server that is not a URL",
      { ...whole, clusters: [{ name: "k", cluster: { server: "localhost" } }] },
      'cluster "k": server "localhost" is not a URL',
    ],
    [
      "with a token file that is missing",
      { ...whole, users: [{ name: "u", user: { tokenFile: "token" } }] },
      "ENOENT",
    ],
  ])("%s", (_, content, sentence) => {
    const file = join(temporaryFolder(), "config");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    expect(() => loadKubeConfig(file)).toThrow(`kubeconfig ${file}: `);
    expect(() => loadKubeConfig(file)).toThrow(sentence);
    expect(() => loadKubeConfig(file)).toThrow(/^.*$/); // The message is a single line.
  });

  it("loadKubeConfig rejects a kubeconfig that is missing or a folder", () => {
    const folder = temporaryFolder();
    expect(() => loadKubeConfig(join(folder, "nothing"))).toThrow("ENOENT");
    expect(() => loadKubeConfig(folder)).toThrow("EISDIR");
  });
});

it("loadKubeConfig prefers the token file to the inline token", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "secrets"));
  writeFileSync(join(folder, "secrets", "token"), "fresh\n");
  const user = { token: "stale", tokenFile: "secrets/token" };
  const file = writeKubeConfig(join(folder, "config"), "https://127.0.0.1:6443", { user });
  expect(loadKubeConfig(file).getCurrentUser()?.token).toBe("fresh");
});

it("clientFor without a kubeconfig uses the service account of the Pod and reads the token on demand", async () => {
  vi.stubEnv("KUBERNETES_SERVICE_HOST", "fd00::1");
  vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
  const root = temporaryFolder();
  const account = join(root, "/var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(account, { recursive: true });
  const kubeConfig = loadKubeConfig(undefined, root);
  writeFileSync(join(account, "token"), "t1");
  writeFileSync(join(account, "ca.crt"), "a certificate");
  expect(kubeConfig.getCurrentCluster()?.server).toBe("https://[fd00::1]:443");
  const options: RequestOptions = { headers: {} };
  await kubeConfig.applyToHTTPSOptions(options);
  expect(options.headers).toEqual({ Authorization: "Bearer t1" });
  expect(options.ca).toEqual(Buffer.from("a certificate"));
});
