import type { PersistentVolumeClaim } from "@jobset-ts/api/kubernetes";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

/** What the API server sets of a volume claim. Nobody binds it. */
export const claimRules: Partial<KindRules> = {
  defaulted: (object) => {
    const { spec } = object as unknown as PersistentVolumeClaim;
    return { ...object, spec: { volumeMode: "Filesystem", ...spec } } as unknown as Stored;
  },
};
