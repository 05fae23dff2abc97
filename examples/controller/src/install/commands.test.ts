import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FakeApiServer } from "../../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { isCommand, runCommand } from "./commands.ts";
import { deploymentWith } from "./manifests.ts";

/** Runs a command, and returns its output and exit code. */
async function runForTest(command: "install" | "uninstall", ...args: readonly string[]) {
  let [out, err] = ["", ""];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  try {
    return { code: await runCommand(command, args), out, err };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

describe("install and uninstall", () => {
  it("install and uninstall are recognized as the first argument, options are not", () => {
    expect(["install", "uninstall", "--kubeconfig", undefined].map(isCommand)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    [["--kubeconfig", "x"], "--image: the image name is missing\n"],
    [
      ["--kubeconfig", "x", "--image", "i", "--replicas", "0"],
      /^--replicas: "0" is not a positive number/,
    ],
    [["--kubeconfig", "x", "--image", "i", "--feature-gates", "No=true"], /No/],
    [["--kubeconfig", "/nowhere", "--image", "i"], /^kubeconfig \/nowhere: ENOENT/],
    [["--delete-crd"], /^Unknown option '--delete-crd'/],
  ])("the command line %j prints an error and exits with 2", async (args, words) => {
    const { code, out, err } = await runForTest("install", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    if (typeof words === "string") expect(err).toBe(words);
    else expect(err).toMatch(words);
  });

  it("install and uninstall print their help", async () => {
    expect(await runForTest("uninstall", "--help")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/--delete-crd +also delete .*, and so all JobSets/),
    });
  });

  it("a command exits with 1 and the API server's message if a request is rejected", async () => {
    const server = await new FakeApiServer().start();
    onTestFinished(() => server.stop());
    const kubeconfig = writeKubeConfig(join(temporaryFolder(), "config"), server.url);
    // The fake server does not know any of the installed kinds.
    const { code, err } = await runForTest("install", "--kubeconfig", kubeconfig, "--image", "i");
    expect(code).toBe(1);
    expect(err).toMatch(/^Namespace jobset-system: /);
  });
});

it("the Deployment has the requested image, replicas and feature gates", () => {
  const shipped = deploymentWith({ image: "mine:1" });
  const wished = deploymentWith({ image: "mine:2", replicas: 3, featureGates: "RestartJob=true" });
  expect(shipped.spec.replicas).toBe(2);
  expect(shipped.spec.template.spec.containers[0]?.image).toBe("mine:1");
  expect(wished.spec.replicas).toBe(3);
  const [container] = wished.spec.template.spec.containers;
  expect(container?.image).toBe("mine:2");
  expect(container?.args).toEqual([
    ...(shipped.spec.template.spec.containers[0]?.args ?? []),
    "--feature-gates=RestartJob=true",
  ]);
});
