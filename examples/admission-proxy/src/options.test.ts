import { writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { HELP, readOptions } from "./options.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

describe("the command line of the proxy", () => {
  it("--help describes every option", () => {
    const explained = new Set(HELP.match(/--[a-z-]+/g));
    expect([...explained].sort()).toEqual([
      ...["--cert-dir", "--failure-policy", "--feature-gates", "--help", "--host", "--port"],
      ...["--server", "--token-file", "--upstream-messages", "--version"],
    ]);
  });

  it("the command line accepts all options together", async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const tokenFile = `${folder}/token`;
    const { proxy, ...options } = readOptions(
      [
        ...["--server", "https://127.0.0.1:6443", "--token-file", tokenFile],
        ...["--host", "0.0.0.0", "--port", "8443", "--cert-dir", "/certs"],
        ...["--feature-gates", "RestartJob=true, ElasticJobSet=false"],
        ...["--failure-policy", "Ignore"],
      ],
      {},
    );
    expect(options).toEqual({ host: "0.0.0.0", port: 8443, certDir: "/certs" });
    expect(proxy).toMatchObject({
      server: "https://127.0.0.1:6443",
      featureGates: { RestartJob: true, ElasticJobSet: false },
      failurePolicy: "Ignore",
    });
    for (const token of ["first", "renewed"]) {
      writeFileSync(tokenFile, token);
      expect(await proxy.token?.()).toBe(token);
    }
  });

  it("the command line requires only the certificates in a Pod", () => {
    const { proxy, ...options } = readOptions(["--cert-dir", "/certs"], pod);
    expect(options).toEqual({ host: "127.0.0.1", port: 9443, certDir: "/certs" });
    expect(proxy).toMatchObject({ server: "https://10.0.0.1:443", failurePolicy: "Fail" });
  });

  it("the command line accepts IPv6 addresses", () => {
    const env = { ...pod, KUBERNETES_SERVICE_HOST: "fd00::1" };
    expect(readOptions(["--cert-dir", "/certs"], env).proxy.server).toBe("https://[fd00::1]:443");
  });

  it("the proxy sends no token to a server that is configured without one", () => {
    const args = ["--server", "http://127.0.0.1:8001", "--cert-dir", "/certs"];
    expect(readOptions(args, pod).proxy.token).toBeUndefined();
  });

  it.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [["--cert-dir", "/certs"], {}, "--server is required outside of a Pod"],
    [[], pod, "--cert-dir is required: the folder of tls.crt and tls.key"],
    [["--cert-dir", "/certs", "--port", "70000"], pod, '--port: "70000" is not a port'],
    [["--cert-dir", "/certs", "--port", "https"], pod, '--port: "https" is not a port'],
    [
      ["--cert-dir", "/certs", "--feature-gates", "RestartJob"],
      pod,
      '"RestartJob" does not set a feature gate',
    ],
    [
      ["--cert-dir", "/certs", "--feature-gates", "RestartJob=true=false"],
      pod,
      '"RestartJob=true=false" does not set a feature gate',
    ],
    [
      ["--cert-dir", "/certs", "--feature-gates", "RestartJob=true,RestartJob=false"],
      pod,
      'the feature gate "RestartJob" is set twice',
    ],
    [
      ["--cert-dir", "/certs", "--failure-policy", "fail"],
      pod,
      'failure policy: "fail" is not Fail or Ignore',
    ],
  ])("the command line %j is rejected with one sentence", (args, env, message) => {
    expect(() => readOptions(args, env)).toThrow(message);
  });

  it("the command line rejects unknown options", () => {
    expect(() => readOptions(["--cert-dir", "/certs", "--verbose"], pod)).toThrow("--verbose");
  });
});
