import { resolveFeatureGates } from "@jobset-ts/api";
import { type Context, NO_QUIRKS } from "@jobset-ts/core";
import { builtInAdmission } from "../api-server/built-in-admission.ts";
import { createManager } from "../jobset-controller/manager.ts";
import { createManagerWebhooks } from "../jobset-controller/webhooks.ts";
import type { ClusterConfig } from "../kernel/cluster.ts";
import type { AnyComponent } from "../kernel/component.ts";
import { kueue, kueueDefaults } from "../queueing/kueue.ts";
import { builtInComponents } from "./built-in-components.ts";
import { getClockOffset, getNetworkFaults } from "./fault.ts";
import { hasStandby, MANAGERS } from "./interventions.ts";
import { operator } from "./node-operator.ts";
import type { Scenario } from "./scenario.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { slowDown } from "./slowdowns.ts";
import { user } from "./user.ts";

/** Creates the cluster that a scenario requests. */
export function createClusterConfig(
  scenario: Scenario,
  settings: SimulationOptions = {},
): ClusterConfig {
  const { controller, schema } = settings;
  const context = createScenarioContext(scenario, settings);
  const faults = getNetworkFaults(scenario.faults);
  const names = hasStandby(scenario.faults) ? MANAGERS : MANAGERS.slice(0, 1);
  const managers = names.map((name, place) =>
    createManager({
      name,
      context,
      faults,
      isStandby: place > 0,
      ...(controller !== undefined && { controller }),
    }),
  );
  const components = [
    user(scenario),
    ...builtInComponents(scenario).map((component) => slowDown(component, scenario.faults)),
    ...managers,
    operator(scenario),
    scenario.queueing && kueue(scenario.queueing),
  ];
  const { seed, kubernetes } = scenario;
  const clockOffsetMs = getClockOffset(scenario.faults, "api-server");
  return {
    seed,
    ...(kubernetes !== undefined && { kubernetes }),
    ...(schema !== undefined && { jobSetSchema: schema }),
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
    components: (components.filter((one) => one !== undefined) as AnyComponent[]).map(
      normalizeShape,
    ),
    admission: [
      ...builtInAdmission,
      ...(scenario.queueing === undefined ? [] : [kueueDefaults]),
      ...createManagerWebhooks(names, context, faults.isWebhookDown),
    ],
  };
}

/** Returns the context in which JobSet's controller and webhooks decide in a scenario. */
export function createScenarioContext(
  { features = {} }: Scenario,
  { quirks = NO_QUIRKS }: SimulationOptions,
): Omit<Context, "now"> {
  return { features: resolveFeatureGates(features), quirks };
}

/** Returns a component with all members in one order, because engines read objects of one shape fastest. */
function normalizeShape(component: AnyComponent): AnyComponent {
  const { name, memory, watches, observe, act, keyOf, delayMs, clockOffsetMs } = component;
  return { name, memory, watches, observe, act, keyOf, delayMs, clockOffsetMs } as AnyComponent;
}
