import type { StructuralSchema } from "@jobset-ts/crd";
import type { PropagationPolicy } from "./api-request.ts";
import type { KubernetesMinor } from "./kubernetes-minor.ts";
import type { Stored } from "./objects.ts";

/** The versions that the API server's rules depend on. */
export interface ServedVersions {
  readonly kubernetes: KubernetesMinor;
  /** The schema of JobSet's CustomResourceDefinition. Default: that of upstream's main branch. */
  readonly jobSetSchema?: StructuralSchema;
}

/** The API server's rules for one kind, in addition to the rules for all kinds. No function changes its arguments. */
export interface KindRules {
  readonly apiVersion: string;
  readonly kind: string;
  /** As in messages: `jobs.batch`. */
  readonly resource: string;
  /** As in messages about invalid objects: `Job.batch`. */
  readonly qualifiedKind: string;
  readonly isNamespaced: boolean;
  /** A status write of a custom resource keeps all metadata, and an update needs a resourceVersion. */
  readonly isCustomResource: boolean;
  /** Whether the kind has a status subresource. */
  readonly hasStatus: boolean;
  /** Whether the creator can set the status, as a kubelet does for its node. */
  readonly isCreatedWithStatus: boolean;
  /** Whether `metadata.generation` counts the changes of the spec. */
  readonly countsGenerations: boolean;
  readonly defaultPropagation: PropagationPolicy;
  /** Sets the API defaults. Runs on create and update, before admission. */
  readonly applyDefaults?: (object: Stored, versions: ServedVersions) => Stored;
  /** Sets the fields that depend on the UID. Runs after admission and before validation. */
  readonly prepare?: (object: Stored) => Stored;
  /** Returns the errors of a new object, each as `<path>: <type>: <detail>`. */
  readonly validateCreate?: (object: Stored, versions: ServedVersions) => readonly string[];
  readonly validateUpdate?: (
    after: Stored,
    before: Stored,
    versions: ServedVersions,
  ) => readonly string[];
  readonly validateStatus?: (
    after: Stored,
    before: Stored,
    versions: ServedVersions,
  ) => readonly string[];
  /** Returns the grace period of a deletion. Undefined means none. */
  readonly graceSeconds?: (object: Stored, requestedSeconds: number | undefined) => number;
}
