import { NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it, vi } from "vitest";
import { HELP, readOptions } from "./options.ts";

const kubeconfig = ["--kubeconfig", "config"];

describe("the command line of the controller", () => {
  it("the command line requires only a kubeconfig", () => {
    expect(readOptions(kubeconfig, "me")).toEqual({
      kubeconfig: "config",
      controllers: new Set(["jobset", "pod"]),
      featureGates: {},
      quirks: NO_QUIRKS,
    });
  });

  it("the command line accepts all options together", () => {
    const args = [
      ...["--controllers", "pod", "--feature-gates", "RestartJob=true, ElasticJobSet=false"],
      ...["--webhook-host", "0.0.0.0", "--webhook-port", "9443", "--cert-dir", "/certs"],
      ...["--leader-elect", "--leader-elect-namespace", "ns", "--leader-elect-identity", "a"],
      ...["--health-port", "8081", "--metrics-port", "0", "--quirks", "upstream"],
    ];
    expect(readOptions([...kubeconfig, ...args], "me")).toEqual({
      kubeconfig: "config",
      controllers: new Set(["pod"]),
      featureGates: { RestartJob: true, ElasticJobSet: false },
      quirks: UPSTREAM_QUIRKS,
      webhook: { host: "0.0.0.0", port: 9443, certDir: "/certs" },
      leaderElection: { namespace: "ns", identity: "a" },
      healthPort: 8081,
      metricsPort: 0,
    });
  });

  it("the command line requires no options in a Pod", () => {
    vi.stubEnv("KUBECONFIG", undefined);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    expect(readOptions([], "me")).not.toHaveProperty("kubeconfig");
    vi.stubEnv("KUBERNETES_SERVICE_HOST", undefined);
    expect(() => readOptions([], "me")).toThrow("--kubeconfig: the file name is missing");
    vi.unstubAllEnvs();
  });

  it("the command line accepts an empty list of controllers", () => {
    expect(readOptions([...kubeconfig, "--controllers", "none"], "me").controllers.size).toBe(0);
  });

  it("leader election defaults to a process identity and the namespace of the manifests", () => {
    expect(readOptions([...kubeconfig, "--leader-elect"], "me").leaderElection).toEqual({
      namespace: "jobset-system",
      identity: "me",
    });
  });

  it("--help describes every option", () => {
    const explained = new Set(HELP.match(/--[a-z-]+/g));
    expect([...explained].sort()).toEqual([
      ...["--cert-dir", "--controllers", "--feature-gates", "--health-port", "--help"],
      ...["--kubeconfig", "--leader-elect", "--leader-elect-identity", "--leader-elect-namespace"],
      ...[
        "--manage-certificate",
        "--metrics-port",
        "--quirks",
        "--upstream-messages",
        "--version",
        "--webhook-host",
        "--webhook-port",
      ],
    ]);
  });

  it.each([
    ["--kubeconfig: the file name is missing", ["--kubeconfig", ""]],
    ["Unknown option '--nonsense'", ["--nonsense"]],
    ["Unexpected argument 'word'", ["word"]],
    ['--controllers: "jobs" is not jobset', ["--controllers", "jobs"]],
    ['--controllers: "" is not jobset', ["--controllers", "jobset,"]],
    ['--feature-gates: "RestartJob" does not set a', ["--feature-gates", "RestartJob"]],
    ['--feature-gates: "RestartJob=yes" does not set a', ["--feature-gates", "RestartJob=yes"]],
    ['--feature-gates: "RestartJob=true=false"', ["--feature-gates", "RestartJob=true=false"]],
    ["__proto__", ["--feature-gates", "__proto__=true"]],
    ['--quirks: "some" is not upstream', ["--quirks", "some"]],
    ["Nonsense", ["--feature-gates", "Nonsense=true"]],
    ["--webhook-port requires --cert-dir", ["--webhook-port", "9443"]],
    ['--health-port: "65536" is not a port', ["--health-port", "65536"]],
    ['--metrics-port: "" is not a port', ["--metrics-port", ""]],
    ['--metrics-port: "1e3" is not a port', ["--metrics-port", "1e3"]],
    ["ambiguous", ["--metrics-port", "-1"]],
  ])("the command line rejects an invalid option with one sentence: %s", (sentence, args) => {
    expect(() => readOptions([...kubeconfig, ...args], "me")).toThrow(sentence);
  });
});
