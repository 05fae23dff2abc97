import type { EpochMillis } from "@jobset-ts/api";
import { isWithin, type Span } from "../kernel/cluster.ts";
import type { Component } from "../kernel/component.ts";
import type { Fault } from "./fault.ts";

/** Slows a built-in controller during faults: each turn that it schedules comes later. */
export function slowDown(component: Component, faults: readonly Fault[]): Component {
  const own = faults.flatMap((fault) =>
    fault.fault === "Slow" && fault.component === component.name ? [fault] : [],
  );
  return own.length === 0 ? component : { ...component, delayMs: delayBy(own) };
}

/** Returns the additional lag of agents in milliseconds. */
export function getAgentLag(faults: readonly Fault[]): (now: EpochMillis) => number {
  return delayBy(faults.flatMap((fault) => (fault.fault === "SlowAgents" ? [fault] : [])));
}

/** Returns the sum of the delays that apply at an instant. */
function delayBy(spans: readonly (Span & { readonly ms: number })[]): (now: EpochMillis) => number {
  return (now) => spans.filter((span) => isWithin(span, now)).reduce((sum, { ms }) => sum + ms, 0);
}
