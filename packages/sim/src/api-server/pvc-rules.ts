import type { PersistentVolumeClaim } from "@jobset-ts/api/kubernetes";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

/** The rules for PersistentVolumeClaims. No component binds them. */
export const claimRules: Partial<KindRules> = {
  applyDefaults: (object) => {
    const { spec } = object as unknown as PersistentVolumeClaim;
    return { ...object, spec: { volumeMode: "Filesystem", ...spec } } as unknown as Stored;
  },
};
