import { restartManager } from "../jobset-controller/manager-interventions.ts";
import { START_TIME } from "../kernel/cluster.ts";
import { forManager, type Intervention, MANAGERS } from "./interventions.ts";
import type { SimulationOptions } from "./simulation-options.ts";

/**
 * Returns the upgrade of a run, if there is one: the CustomResourceDefinition changes, and the controller restarts and
 * continues with another version.
 */
export function listUpgrades(settings: SimulationOptions): readonly Intervention[] {
  const { quirks: _quirks, schema: _schema, upgrade, ...others } = settings;
  if (upgrade === undefined) return [];
  const { at, quirks, schema } = upgrade;
  return [
    {
      at: START_TIME + at,
      settings: {
        ...others,
        ...(quirks !== undefined && { quirks }),
        ...(schema !== undefined && { schema }),
      },
      act: (world, cluster) =>
        MANAGERS.filter((name) => cluster.memories.get(name) !== undefined).reduce(
          (last, name) => forManager(name, restartManager)(world, last),
          cluster,
        ),
    },
  ];
}
