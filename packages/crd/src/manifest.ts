import { JOBSET_GROUP, JOBSET_KIND, JOBSET_VERSION } from "@jobset-ts/api/keys";
import { openAPIV3Schema } from "./openapi-v3-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * The part of the CustomResourceDefinition that is specific to JobSet.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1` `CustomResourceDefinition`
 */
interface JobSetCustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
    };
    readonly scope: "Namespaced";
    readonly versions: readonly [
      {
        readonly name: string;
        readonly served: true;
        readonly storage: true;
        readonly subresources: { readonly status: Readonly<Record<string, never>> };
        readonly additionalPrinterColumns: readonly PrinterColumn[];
        readonly schema: { readonly openAPIV3Schema: StructuralSchema };
      },
    ];
  };
}

/** A column of `kubectl get jobsets`, after the name. */
interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "date";
  readonly jsonPath: string;
}

/**
 * Returns the CustomResourceDefinition with which an API server of Kubernetes 1.36 serves JobSets, as plain JSON.
 *
 * Its schema is {@link openAPIV3Schema}, frozen and shared.
 *
 * @see JobSet v1alpha2
 * @example customResourceDefinition().metadata.name // => "jobsets.jobset.x-k8s.io"
 */
export function customResourceDefinition(): JobSetCustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `jobsets.${JOBSET_GROUP}` },
    spec: {
      group: JOBSET_GROUP,
      names: {
        kind: JOBSET_KIND,
        listKind: `${JOBSET_KIND}List`,
        plural: "jobsets",
        singular: "jobset",
      },
      scope: "Namespaced",
      versions: [
        {
          name: JOBSET_VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "TerminalState", type: "string", jsonPath: ".status.terminalState" },
            { name: "Restarts", type: "string", jsonPath: ".status.restarts" },
            {
              name: "Completed",
              type: "string",
              jsonPath: '.status.conditions[?(@.type=="Completed")].status',
            },
            { name: "Suspended", type: "string", jsonPath: ".spec.suspend" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: { openAPIV3Schema: openAPIV3Schema() },
        },
      ],
    },
  };
}
