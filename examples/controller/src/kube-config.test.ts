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

describe("a kubeconfig that cannot be used is refused with one sentence that names it", () => {
  const whole = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: "https://127.0.0.1:6443" } }],
    users: [{ name: "u", user: { token: "t" } }],
  };

  it.each<[string, string | object, string]>([
    ["empty", "", "Failed to load YAML"],
    ["no YAML", "a: [", "unexpected end"],
    ["text", "hello", "it contains no kubeconfig"],
    ["without a current context", { ...whole, "current-context": undefined }, 'no context ""'],
    ["with another current context", { ...whole, "current-context": "x" }, 'no context "x"'],
    ["without the cluster", { ...whole, clusters: [] }, 'context "c": no cluster is named "k"'],
    ["without the user", { ...whole, users: [] }, 'context "c": no user is named "u"'],
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
    expect(() => loadKubeConfig(file)).toThrow(/^.*$/); // in one line
  });

  it("missing, or a folder", () => {
    const folder = temporaryFolder();
    expect(() => loadKubeConfig(join(folder, "nothing"))).toThrow("ENOENT");
    expect(() => loadKubeConfig(folder)).toThrow("EISDIR");
  });
});

it("reads a token from its file, which goes before the one that is written down", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "secrets"));
  writeFileSync(join(folder, "secrets", "token"), "fresh\n");
  const user = { token: "stale", tokenFile: "secrets/token" };
  const file = writeKubeConfig(join(folder, "config"), "https://127.0.0.1:6443", { user });
  expect(loadKubeConfig(file).getCurrentUser()?.token).toBe("fresh");
});

it("without one takes the service account of its Pod, whose token is read when it is needed", async () => {
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
