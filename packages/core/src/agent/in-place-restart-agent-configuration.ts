import { parseIntegerLabel } from "@jobset-ts/api";
import { asRecord, asString } from "../jobset-members.ts";

/** The configuration that the in-place restart agent of a Pod receives when its container starts. */
export interface AgentConfiguration {
  /** The content of the service account's file, including white space. */
  readonly namespace: string;
  readonly jobSetName: string;
  /** The Pod in which the agent runs. */
  readonly podName: string;
  /** The exit code with which the agent makes the kubelet restart the Pod in place. */
  readonly inPlaceRestartExitCode: number;
  readonly role: AgentRole;
}

/** How an agent blocks its worker. */
export type AgentRole =
  /** The agent is the Pod's main container and runs the worker itself. */
  | { readonly kind: "Main"; readonly workerCommand: string }
  /** The agent runs beside the worker, whose container waits until the agent's startup probe succeeds. */
  | {
      readonly kind: "Sidecar";
      readonly startupProbePath: string;
      readonly startupProbePort: string;
    };

/** A wrong environment variable or file. */
export interface AgentConfigurationError {
  readonly source: string;
  readonly message: string;
}

/** The file that contains the namespace of a Pod. */
export const AGENT_NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

const defaultExitCode = 1;
const defaultProbePath = "/barrier-is-down";
const defaultProbePort = "8081";

/**
 * Reads the configuration of an in-place restart agent. An empty variable counts as absent.
 *
 * @param from.env - the variables `JOBSET_NAME` and `POD_NAME`, `IN_PLACE_RESTART_EXIT_CODE` (default 1), and either
 * `WORKER_COMMAND`, which makes it the main container, or `STARTUP_PROBE_PATH` (default `/barrier-is-down`) and
 * `STARTUP_PROBE_PORT` (default `8081`)
 * @param from.namespaceFile - the content of `/var/run/secrets/kubernetes.io/serviceaccount/namespace`; `undefined`
 * if it cannot be read
 * @returns all mistakes at once, and how the agent exits because of them
 * @see KEP-467
 */
export function agentConfiguration(from: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly namespaceFile: string | undefined;
}):
  | { readonly ok: true; readonly configuration: AgentConfiguration }
  | {
      readonly ok: false;
      readonly exitCode: 1;
      readonly errors: readonly AgentConfigurationError[];
    } {
  const { env = {}, namespaceFile } = asRecord(from);
  const jobSetName = variable(env, "JOBSET_NAME");
  const podName = variable(env, "POD_NAME");
  const exitCode = readExitCode(env);
  const role = readRole(env);
  if (
    typeof namespaceFile === "string" &&
    jobSetName !== "" &&
    podName !== "" &&
    exitCode.ok &&
    role.ok
  ) {
    const configuration = {
      namespace: namespaceFile,
      jobSetName,
      podName,
      inPlaceRestartExitCode: exitCode.value,
      role: role.value,
    };
    return { ok: true, configuration };
  }
  const required = (source: string, value: string) =>
    value === "" ? [{ source, message: "is required" }] : [];
  const errors = [
    ...(typeof namespaceFile === "string"
      ? []
      : [{ source: AGENT_NAMESPACE_FILE, message: "cannot be read" }]),
    ...required("JOBSET_NAME", jobSetName),
    ...required("POD_NAME", podName),
    ...(exitCode.ok ? [] : [exitCode.error]),
    ...(role.ok ? [] : [role.error]),
  ];
  return { ok: false, exitCode: 1, errors };
}

type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AgentConfigurationError };

function readExitCode(env: Readonly<Record<string, string | undefined>>): ReadResult<number> {
  const source = "IN_PLACE_RESTART_EXIT_CODE";
  const text = variable(env, source);
  if (text === "") return { ok: true, value: defaultExitCode };
  const exitCode = parseIntegerLabel(text);
  return exitCode.ok
    ? { ok: true, value: exitCode.value }
    : { ok: false, error: { source, message: exitCode.message } };
}

function readRole(env: Readonly<Record<string, string | undefined>>): ReadResult<AgentRole> {
  const source = "WORKER_COMMAND";
  const workerCommand = variable(env, source);
  const path = variable(env, "STARTUP_PROBE_PATH");
  const port = variable(env, "STARTUP_PROBE_PORT");
  if (workerCommand === "") {
    return {
      ok: true,
      value: {
        kind: "Sidecar",
        startupProbePath: path || defaultProbePath,
        startupProbePort: port || defaultProbePort,
      },
    };
  }
  if (path === "" && port === "") {
    return { ok: true, value: { kind: "Main", workerCommand } };
  }
  const message = "excludes STARTUP_PROBE_PATH and STARTUP_PROBE_PORT, which belong to a sidecar";
  return { ok: false, error: { source, message } };
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const variables = asRecord(env);
  return Object.hasOwn(variables, name) ? asString(variables[name]) : "";
}
