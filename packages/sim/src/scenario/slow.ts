import type { Instant } from "@jobset-ts/api";
import { BEGINNING } from "../kernel/cluster.ts";
import type { Component, Process } from "../kernel/component.ts";
import type { Fault } from "./fault.ts";

/** A built-in controller that takes longer while faults say so: each turn that it asks for comes later. */
export function slowed(component: Component, faults: readonly Fault[]): Component {
  const own = faults.flatMap((fault) =>
    fault.fault === "Slow" && fault.component === component.name ? [fault] : [],
  );
  if (own.length === 0) return component;
  const slow = (process: Process<unknown>): Process<unknown> => {
    const now = process.now - BEGINNING;
    const extra = own
      .filter(({ from, until }) => now >= from && now < until)
      .reduce((sum, { ms }) => sum + ms, 0);
    if (extra === 0) return process;
    return {
      ...process,
      get now() {
        return process.now;
      },
      get objects() {
        return process.objects;
      },
      get revision() {
        return process.revision;
      },
      get memory() {
        return process.memory;
      },
      set memory(memory) {
        process.memory = memory;
      },
      wake: (key, afterMillis = 0) => process.wake(key, afterMillis + extra),
    };
  };
  const { act, observe } = component;
  return {
    ...component,
    act: (key, process) => act(key, slow(process)),
    ...(observe && { observe: (change, process) => observe(change, slow(process)) }),
  };
}

/** By how many milliseconds agents lag behind beyond what is usual. */
export function agentLagOf(faults: readonly Fault[]): (now: Instant) => number {
  const slow = faults.flatMap((fault) => (fault.fault === "SlowAgents" ? [fault] : []));
  return (now) =>
    slow
      .filter(({ from, until }) => now >= BEGINNING + from && now < BEGINNING + until)
      .reduce((sum, { ms }) => sum + ms, 0);
}
