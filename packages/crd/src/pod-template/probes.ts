import { forbidden, invalid, required } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors, invalidForEach, negativeErrors } from "../found-errors.ts";
import {
  elementsIn,
  hasMember,
  integerIn,
  listIn,
  mapIn,
  objectIn,
  textIn,
} from "../members-of.ts";
import { headerNameMessages, portNameMessages, portNumberMessages } from "./value-formats.ts";

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

/** Yields the errors in the lifecycle hooks and the probes of a container that keeps running. */
export function* lifecycleAndProbeErrors(
  container: JsonObject,
  path: string,
  graceSeconds: number,
): FoundErrors {
  const lifecycle = mapIn(container, "lifecycle");
  for (const name of ["postStart", "preStop"]) {
    const hook = objectIn(lifecycle, name);
    const field = `${path}.lifecycle.${name}`;
    if (hook !== undefined) yield* handlerErrors(hook, HOOK_HANDLERS, field, graceSeconds);
  }
  for (const name of PROBES) {
    const probe = objectIn(container, name);
    if (probe !== undefined) yield* probeErrors(probe, name, `${path}.${name}`, graceSeconds);
  }
}

/** Yields an error for each hook and probe of a container that runs to its end before others start. */
export function* initContainerHookErrors(container: JsonObject, path: string): FoundErrors {
  for (const name of ["lifecycle", ...PROBES]) {
    if (!hasMember(container, name) || isOnlyStopSignal(container, name)) continue;
    const detail = "may not be set for init containers without restartPolicy=Always";
    yield forbidden(`${path}.${name}`, detail);
  }
}

/**
 * The server drops a stop signal because the gate ContainerStopSignals is off. It also drops a lifecycle that has
 * nothing else.
 */
export function isOnlyStopSignal(container: JsonObject, name: string): boolean {
  if (name !== "lifecycle") return false;
  const lifecycle = mapIn(container, name);
  return (
    hasMember(lifecycle, "stopSignal") &&
    !hasMember(lifecycle, "postStart") &&
    !hasMember(lifecycle, "preStop")
  );
}

const PROBE_COUNTS = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

function* probeErrors(
  probe: JsonObject,
  name: (typeof PROBES)[number],
  path: string,
  graceSeconds: number,
): FoundErrors {
  yield* handlerErrors(probe, PROBE_HANDLERS, path, graceSeconds);
  for (const count of PROBE_COUNTS) {
    yield* negativeErrors(`${path}.${count}`, integerIn(probe, count));
  }
  const field = `${path}.terminationGracePeriodSeconds`;
  const ownGraceSeconds = integerIn(probe, "terminationGracePeriodSeconds");
  if (ownGraceSeconds !== undefined && ownGraceSeconds <= 0) {
    yield invalid(field, ownGraceSeconds, "must be greater than 0");
  }
  if (name === "readinessProbe") {
    if (ownGraceSeconds === undefined) return;
    yield invalid(field, ownGraceSeconds, "must not be set for readinessProbes");
  } else {
    const successThreshold = integerIn(probe, "successThreshold") ?? 0;
    if (successThreshold === 1) return;
    yield invalid(`${path}.successThreshold`, successThreshold, "must be 1");
  }
}

type HandlerErrors = (handler: JsonObject, path: string, graceSeconds: number) => FoundErrors;

const COMMON_HANDLERS: Readonly<Record<string, HandlerErrors>> = {
  exec: function* (exec, path) {
    if (listIn(exec, "command").length === 0) yield required(`${path}.command`);
  },
  httpGet: httpGetErrors,
  tcpSocket: function* (socket, path) {
    yield* portNumberOrNameErrors(socket.port, `${path}.port`);
  },
};

const PROBE_HANDLERS: Readonly<Record<string, HandlerErrors>> = {
  ...COMMON_HANDLERS,
  grpc: function* (grpc, path) {
    yield* portNumberOrNameErrors(integerIn(grpc, "port"), `${path}.port`);
  },
};

const HOOK_HANDLERS: Readonly<Record<string, HandlerErrors>> = {
  ...COMMON_HANDLERS,
  sleep: function* (sleep, path, graceSeconds) {
    const seconds = integerIn(sleep, "seconds") ?? 0;
    if (seconds >= 0 && seconds <= graceSeconds) return;
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    yield invalid(path, seconds, detail);
  },
};

function* handlerErrors(
  owner: JsonObject,
  handlers: Readonly<Record<string, HandlerErrors>>,
  path: string,
  graceSeconds: number,
): FoundErrors {
  let count = 0;
  for (const [name, errorsOf] of Object.entries(handlers)) {
    const handler = objectIn(owner, name);
    if (handler === undefined) continue;
    count += 1;
    const field = `${path}.${name}`;
    if (count > 1) yield forbidden(field, "may not specify more than 1 handler type");
    else yield* errorsOf(handler, field, graceSeconds);
  }
  if (count === 0) yield required(path, "must specify a handler type");
}

function* httpGetErrors(request: JsonObject, path: string): FoundErrors {
  if (textIn(request, "path") === "") yield required(`${path}.path`);
  yield* portNumberOrNameErrors(request.port, `${path}.port`);
  yield* choiceErrors(`${path}.scheme`, textIn(request, "scheme"), ["HTTP", "HTTPS"]);
  for (const [header] of elementsIn(request, "httpHeaders", path)) {
    const name = textIn(header, "name");
    yield* invalidForEach(`${path}.httpHeaders`, name, headerNameMessages(name));
  }
}

/** An absent port is the number zero. */
function* portNumberOrNameErrors(port: unknown, field: string): FoundErrors {
  const number = typeof port === "number" ? port : 0;
  const messages = typeof port === "string" ? portNameMessages(port) : portNumberMessages(number);
  for (const message of messages) {
    yield invalid(field, typeof port === "string" ? port : number, message);
  }
}
