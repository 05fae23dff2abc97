import { duplicate, invalid, required } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, flagIn, integerIn, textIn } from "../members-of.ts";
import { portNameMessages, portNumberMessages } from "./value-formats.ts";

/** Yields the errors in the ports of a container. */
export function* portErrors(container: JsonObject, field: string): FoundErrors {
  const names = new Set<string>();
  for (const [port, path] of elementsIn(container, "ports", field)) {
    const name = textIn(port, "name");
    const messages = name === "" ? [] : portNameMessages(name);
    yield* invalidForEach(`${path}.name`, name, messages);
    if (name !== "" && messages.length === 0) {
      if (names.has(name)) yield duplicate(`${path}.name`, name);
      names.add(name);
    }
    const number = integerIn(port, "containerPort") ?? 0;
    if (number === 0) yield required(`${path}.containerPort`);
    else yield* numberErrors(`${path}.containerPort`, number);
    const hostPort = integerIn(port, "hostPort") ?? 0;
    if (hostPort !== 0) yield* numberErrors(`${path}.hostPort`, hostPort);
    yield* choiceErrors(`${path}.protocol`, textIn(port, "protocol"), ["SCTP", "TCP", "UDP"]);
  }
}

function* numberErrors(field: string, port: number): FoundErrors {
  for (const message of portNumberMessages(port)) yield invalid(field, port, message);
}

/**
 * Yields an error for each port of the host that containers use twice.
 *
 * @param field - the path of the list of containers
 */
export function* hostPortConflicts(containers: readonly JsonObject[], field: string): FoundErrors {
  const used = new Set<string>();
  for (const [at, container] of containers.entries()) {
    for (const [port, path] of elementsIn(container, "ports", `${field}[${at}]`)) {
      const hostPort = integerIn(port, "hostPort") ?? 0;
      if (hostPort === 0) continue;
      const key = `${textIn(port, "protocol")}/${textIn(port, "hostIP")}/${hostPort}`;
      if (used.has(key)) yield duplicate(`${path}.hostPort`, key);
      used.add(key);
    }
  }
}

/** Yields an error for each port that a Pod in the network of its host maps to another port. */
export function* hostNetworkErrors(spec: JsonObject, field: string): FoundErrors {
  if (flagIn(spec, "hostNetwork") !== true) return;
  for (const [container, path] of elementsIn(spec, "containers", field)) {
    for (const [port, at] of elementsIn(container, "ports", path)) {
      const hostPort = integerIn(port, "hostPort") ?? 0;
      if (hostPort === 0 || hostPort === integerIn(port, "containerPort")) continue;
      const detail = "must match `containerPort` when `hostNetwork` is true";
      yield invalid(`${at}.hostPort`, hostPort, detail);
    }
  }
}
