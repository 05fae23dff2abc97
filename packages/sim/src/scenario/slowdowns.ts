import type { EpochMillis } from "@jobset-ts/api";
import { isWithin, type Span } from "../kernel/cluster.ts";
import type { Component } from "../kernel/component.ts";
import type { Fault } from "./fault.ts";

/** A built-in controller that takes longer while faults say so: each turn that it asks for comes later. */
export function slowDown(component: Component, faults: readonly Fault[]): Component {
  const own = faults.flatMap((fault) =>
    fault.fault === "Slow" && fault.component === component.name ? [fault] : [],
  );
  return own.length === 0 ? component : { ...component, delayMs: delayBy(own) };
}

/** By how many milliseconds agents lag behind beyond what is usual. */
export function getAgentLag(faults: readonly Fault[]): (now: EpochMillis) => number {
  return delayBy(faults.flatMap((fault) => (fault.fault === "SlowAgents" ? [fault] : [])));
}

/** The milliseconds of all that lasts at an instant. */
function delayBy(spans: readonly (Span & { readonly ms: number })[]): (now: EpochMillis) => number {
  return (now) => spans.filter((span) => isWithin(span, now)).reduce((sum, { ms }) => sum + ms, 0);
}
