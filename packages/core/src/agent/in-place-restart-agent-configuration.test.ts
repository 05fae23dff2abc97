import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import {
  AGENT_NAMESPACE_FILE,
  agentConfiguration,
} from "./in-place-restart-agent-configuration.ts";

const named = { JOBSET_NAME: "train", POD_NAME: "train-w-0-0-aaaaa" };

function createConfiguration(env: Record<string, string | undefined>, namespaceFile = "ml") {
  const read = agentConfiguration(deepFreeze({ env: { ...named, ...env }, namespaceFile }));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.configuration;
}

/** The reported mistakes. */
function findErrors(env: Record<string, string | undefined>, namespaceFile?: string) {
  const read = agentConfiguration({ env, namespaceFile });
  return read.ok ? [] : read.errors.map(({ source, message }) => `${source} ${message}`);
}

describe("the configuration of an agent", () => {
  it("agentConfiguration configures a sidecar with defaults if only names are set", () => {
    expect(createConfiguration({})).toEqual({
      namespace: "ml",
      jobSetName: "train",
      podName: "train-w-0-0-aaaaa",
      inPlaceRestartExitCode: 1,
      role: {
        kind: "Sidecar",
        startupProbePath: "/barrier-is-down",
        startupProbePort: "8081",
      },
    });
  });

  it("agentConfiguration uses the configured probe of the sidecar", () => {
    const env = { STARTUP_PROBE_PATH: "ready", STARTUP_PROBE_PORT: "http" };
    expect(createConfiguration(env).role).toEqual({
      kind: "Sidecar",
      startupProbePath: "ready",
      startupProbePort: "http",
    });
  });

  it("agentConfiguration configures the main container if there is a worker command", () => {
    const env = { WORKER_COMMAND: "sleep 1; exit 3", STARTUP_PROBE_PATH: "" };
    expect(createConfiguration(env).role).toEqual({
      kind: "Main",
      workerCommand: "sleep 1; exit 3",
    });
  });

  it("agentConfiguration treats an empty variable as absent", () => {
    const empty = {
      WORKER_COMMAND: "",
      STARTUP_PROBE_PATH: "",
      STARTUP_PROBE_PORT: "",
      IN_PLACE_RESTART_EXIT_CODE: "",
    };
    expect(createConfiguration(empty)).toEqual(createConfiguration({}));
  });

  it.each(["", "default\n", " "])(
    "agentConfiguration does not trim the namespace %j",
    (namespace) => {
      expect(createConfiguration({}, namespace).namespace).toBe(namespace);
    },
  );

  it.each([
    ["42", 42],
    ["+7", 7],
    ["007", 7],
    ["-1", -1],
    ["300", 300],
  ])("agentConfiguration accepts the exit code %j", (text, exitCode) => {
    expect(createConfiguration({ IN_PLACE_RESTART_EXIT_CODE: text }).inPlaceRestartExitCode).toBe(
      exitCode,
    );
  });

  it.each(["x", "1.0", " 1", "1_0", "0x1", "99999999999999999999"])(
    "agentConfiguration rejects the exit code %j",
    (text) => {
      expect(findErrors({ ...named, IN_PLACE_RESTART_EXIT_CODE: text }, "ml")).toEqual([
        expect.stringMatching(/^IN_PLACE_RESTART_EXIT_CODE strconv\.Atoi: parsing/),
      ]);
    },
  );

  it.each(["STARTUP_PROBE_PATH", "STARTUP_PROBE_PORT"])(
    "agentConfiguration rejects a worker command together with %s",
    (variable) => {
      const env = { ...named, WORKER_COMMAND: "python train.py", [variable]: "x" };
      expect(findErrors(env, "ml")).toEqual([
        "WORKER_COMMAND excludes STARTUP_PROBE_PATH and STARTUP_PROBE_PORT, which belong to a sidecar",
      ]);
    },
  );

  it("agentConfiguration reports all errors at once, with exit code 1", () => {
    const env = { POD_NAME: "", IN_PLACE_RESTART_EXIT_CODE: "x" };
    expect(agentConfiguration({ env, namespaceFile: undefined })).toMatchObject({
      ok: false,
      exitCode: 1,
    });
    expect(findErrors(env)).toEqual([
      `${AGENT_NAMESPACE_FILE} cannot be read`,
      "JOBSET_NAME is required",
      "POD_NAME is required",
      expect.stringContaining("IN_PLACE_RESTART_EXIT_CODE"),
    ]);
  });

  it("agentConfiguration returns a result for any environment", () => {
    const envs = fc.dictionary(
      fc.constantFrom("JOBSET_NAME", "POD_NAME", "WORKER_COMMAND", "__proto__"),
      hostileValues(),
    );
    fc.assert(
      fc.property(envs, hostileValues(), (env, namespaceFile) => {
        const read = agentConfiguration({ env, namespaceFile } as never);
        expect(read.ok).toBe(
          typeof namespaceFile === "string" &&
            [env.JOBSET_NAME, env.POD_NAME].every(
              (name) => typeof name === "string" && name !== "",
            ),
        );
      }),
    );
  });
});
