import assert from "node:assert/strict";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario } from "../../scenario.ts";
import { deniedJobSet, invalid } from "./messages.ts";
import { claimPolicy, createMountingJob } from "./volume-claims.ts";

interface RejectedCreation {
  readonly what: string;
  readonly spec: Stored;
  readonly metadata?: Stored;
  readonly gates?: readonly string[];
  /** The message after the name of the JobSet. */
  readonly message: string;
  /** Whether the schema of the CustomResourceDefinition rejects it, and not the webhook. */
  readonly bySchema?: true;
}

const workers = [part("workers", { replicas: 2, pods: 3 })];
const long = (length: number) => "a".repeat(length);
const DNS_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const DNS_1123 =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The ReplicatedJobs above as errors show them: with defaults, and redacted. */
const STORED_WORKERS =
  '[{"name":"workers","groupName":"default","template":{"metadata":{},"spec":{"parallelism":3,"completions":3,"backoffLimit":0,"template":{"metadata":{},"spec":{"containers":[{"name":"main","image":"example.com/main","command":["(redacted 1)"],"resources":{"requests":{"cpu":"1"}}}],"restartPolicy":"Never","terminationGracePeriodSeconds":0,"nodeSelector":{"pool":"general"}}},"completionMode":"Indexed"}},"replicas":2}]';
/** The note that the API server adds to schema errors that prevent the evaluation of rules. */
const UNCHECKED =
  "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

const rule = (more: Stored) => ({ rules: [{ name: "any", action: "FailJobSet", ...more }] });

const rejectedCreations: readonly RejectedCreation[] = [
  {
    what: "a name that makes Job names too long",
    metadata: { name: long(62) },
    spec: { replicatedJobs: [{ ...part("w"), template: nonIndexed() }] },
    message: `spec.replicatedJobs[0].name: Invalid value: "${long(62)}-w-0": JobSet name is too long, job names generated for this JobSet will exceed 63 characters`,
  },
  {
    what: "a name that makes Pod names too long",
    metadata: { name: long(54) },
    spec: { replicatedJobs: [part("w")] },
    message: `spec.replicatedJobs[0].name: Invalid value: "${long(54)}-w-0": JobSet name is too long, pod names generated for this JobSet will exceed 63 characters`,
  },
  {
    what: "a name that is not valid for a Service",
    metadata: { name: "1train" },
    spec: { replicatedJobs: [part("w")] },
    message: `spec.replicatedJobs[0].name: Invalid value: "1train-w-0": ${DNS_1035}`,
  },
  {
    what: "a ReplicatedJob name that is not valid for a Job",
    spec: { replicatedJobs: [part("w.x")] },
    message: `spec.replicatedJobs[0].name: Invalid value: "train-w.x-0": ${DNS_1035}`,
  },
  {
    what: "two ReplicatedJobs with the same name",
    spec: { replicatedJobs: [part("w"), part("w")] },
    message: 'spec.replicatedJobs[1]: Duplicate value: {"name":"w"}',
    bySchema: true,
  },
  {
    what: "a group name that is not a label",
    spec: { replicatedJobs: [{ ...part("w"), groupName: "No" }] },
    message: `spec.replicatedJobs[0].groupName: Invalid value: "No": ${DNS_1035}`,
  },
  {
    what: "negative replicas",
    spec: { replicatedJobs: [part("w", { replicas: -1 })] },
    message:
      "spec.replicatedJobs[0].replicas: Invalid value: -1: spec.replicatedJobs[0].replicas in body should be greater than or equal to 0",
    bySchema: true,
  },
  {
    what: "more Pods than an int32 can count",
    spec: { replicatedJobs: [part("w", { replicas: 2147483647, pods: 2147483647 })] },
    message:
      "spec.replicatedJobs[0].replicas: Invalid value: 2147483647: the product of replicas and parallelism must not exceed 2147483647 for replicatedJob 'w'",
  },
  {
    what: "a subdomain that is not a DNS name",
    spec: { network: { subdomain: "My_Net" }, replicatedJobs: workers },
    message: `[spec.network.subdomain: Invalid value: "My_Net": ${DNS_1123}, spec.network.subdomain: Invalid value: "My_Net": ${DNS_1035}]`,
  },
  {
    what: "a subdomain that is too long",
    spec: { network: { subdomain: long(64) }, replicatedJobs: workers },
    message: `spec.network.subdomain: Invalid value: "${long(64)}": .spec.network.subdomain is too long, must be less than 63 characters`,
  },
  {
    what: "managedBy without a domain",
    spec: { managedBy: "other", replicatedJobs: workers },
    message:
      'spec.managedBy: Invalid value: "other": must be a domain-prefixed path (such as "acme.io/foo")',
  },
  {
    what: "managedBy that is too long",
    spec: { managedBy: `example.com/${long(63)}`, replicatedJobs: workers },
    message: "spec.managedBy: Too long: may not be more than 63 bytes",
  },
  {
    what: "a first ReplicatedJob with a dependency",
    spec: {
      replicatedJobs: [part("a", { dependsOn: [{ name: "b", status: "Ready" }] }), part("b")],
    },
    message:
      '[spec.replicatedJobs[0].dependsOn: Forbidden: DependsOn can\'t be set for the first ReplicatedJob, spec.replicatedJobs[0].dependsOn[0].name: Invalid value: "b": replicatedJob: a cannot depend on replicatedJob: b]',
  },
  {
    what: "a dependency on a later ReplicatedJob",
    spec: {
      replicatedJobs: [
        part("a"),
        part("b", { dependsOn: [{ name: "c", status: "Ready" }] }),
        part("c"),
      ],
    },
    message:
      'spec.replicatedJobs[1].dependsOn[0].name: Invalid value: "c": replicatedJob: b cannot depend on replicatedJob: c',
  },
  {
    what: "a dependency on itself",
    spec: {
      replicatedJobs: [part("a"), part("b", { dependsOn: [{ name: "b", status: "Ready" }] })],
    },
    message:
      'spec.replicatedJobs[1].dependsOn[0].name: Invalid value: "b": replicatedJob: b cannot depend on replicatedJob: b',
  },
  {
    what: "an unknown dependency status",
    spec: {
      replicatedJobs: [part("a"), part("b", { dependsOn: [{ name: "a", status: "Failed" }] })],
    },
    message: `[spec.replicatedJobs[1].dependsOn[0].status: Unsupported value: "Failed": supported values: "Ready", "Complete", ${UNCHECKED}]`,
    bySchema: true,
  },
  {
    what: "dependencies together with an in-order startup policy",
    spec: {
      startupPolicy: { startupPolicyOrder: "InOrder" },
      replicatedJobs: [part("a"), part("b", { dependsOn: [{ name: "a", status: "Ready" }] })],
    },
    message: "spec: Invalid value: StartupPolicy and DependsOn APIs are mutually exclusive",
    bySchema: true,
  },
  {
    what: "an unknown target of the success policy",
    spec: {
      successPolicy: { operator: "All", targetReplicatedJobs: ["workers", "nope"] },
      replicatedJobs: workers,
    },
    message:
      "spec.successPolicy.targetReplicatedJobs[1]: Invalid value: \"nope\": invalid replicatedJob name 'nope' does not appear in .spec.ReplicatedJobs",
  },
  {
    what: "an unknown operator of the success policy",
    spec: { successPolicy: { operator: "Some" }, replicatedJobs: workers },
    message: `[spec.successPolicy.operator: Unsupported value: "Some": supported values: "All", "Any", ${UNCHECKED}]`,
    bySchema: true,
  },
  {
    what: "a rule name that starts with a digit",
    spec: { failurePolicy: rule({ name: "1st" }), replicatedJobs: workers },
    message:
      "spec.failurePolicy.rules[0].name: Invalid value: \"1st\": invalid failure policy rule name '1st', a failure policy rule name must start with an alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  },
  {
    what: "a rule name that is too long",
    spec: { failurePolicy: rule({ name: long(129) }), replicatedJobs: workers },
    message: `spec.failurePolicy.rules[0].name: Invalid value: "${long(129)}": invalid failure policy rule name of length 129, the rule name must be at least 1 characters long and at most 128 characters long`,
  },
  {
    what: "two rules with the same name",
    spec: {
      failurePolicy: {
        rules: [
          { name: "any", action: "FailJobSet" },
          { name: "any", action: "RestartJobSet" },
        ],
      },
      replicatedJobs: workers,
    },
    message: 'spec.failurePolicy.rules[1].name: Duplicate value: "any"',
  },
  {
    what: "an unknown target of a rule",
    spec: { failurePolicy: rule({ targetReplicatedJobs: ["nope"] }), replicatedJobs: workers },
    message:
      "spec.failurePolicy.rules[0].targetReplicatedJobs[0]: Invalid value: \"nope\": invalid replicatedJob name 'nope' in failure policy does not appear in .spec.ReplicatedJobs",
  },
  {
    what: "an unknown failure reason",
    spec: { failurePolicy: rule({ onJobFailureReasons: ["Bored"] }), replicatedJobs: workers },
    message:
      'spec.failurePolicy.rules[0].onJobFailureReasons[0]: Unsupported value: "Bored": supported values: "BackoffLimitExceeded", "DeadlineExceeded", "FailedIndexes", "MaxFailedIndexesExceeded", "PodFailurePolicy"',
  },
  {
    what: "a pattern that does not compile",
    spec: { failurePolicy: rule({ onJobFailureMessagePatterns: ["("] }), replicatedJobs: workers },
    message:
      'spec.failurePolicy.rules[0].onJobFailureMessagePatterns[0]: Invalid value: "(": error parsing regexp: missing closing ): `(`',
  },
  {
    what: "an in-place restart without its gate",
    spec: { failurePolicy: { restartStrategy: "InPlaceRestart" }, replicatedJobs: workers },
    message:
      "spec.failurePolicy.restartStrategy: Forbidden: InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled",
  },
  {
    what: "an in-place restart of Jobs with a low backoff limit",
    gates: ["InPlaceRestart"],
    spec: { failurePolicy: { restartStrategy: "InPlaceRestart" }, replicatedJobs: workers },
    message:
      "[spec.replicatedJobs[0].template.spec.backoffLimit: Invalid value: 0: replicatedJob workers: must be set to 2147483647 (MaxInt32) when in-place restart is enabled, spec.replicatedJobs[0].template.spec.podReplacementPolicy: Invalid value: null: replicatedJob workers: must be set to Failed when in-place restart is enabled]",
  },
  {
    what: "RestartJob with more Jobs than the status can count",
    gates: ["RestartJob"],
    spec: {
      failurePolicy: rule({ action: "RestartJob" }),
      replicatedJobs: [part("w", { replicas: 1025 })],
    },
    message:
      "spec.replicatedJobs[0].replicas: Invalid value: 1025: JobSet cannot have a failure policy rule with RestartJob or RestartJobAndIgnoreMaxRestarts action and a replicated job with replicas > 1024",
  },
  {
    what: "a coordinator in an unknown ReplicatedJob",
    spec: { coordinator: { replicatedJob: "nope" }, replicatedJobs: workers },
    message:
      'spec.coordinator.replicatedJob: Invalid value: "nope": coordinator replicatedJob nope does not exist',
  },
  {
    what: "a coordinator in an unknown Job",
    spec: { coordinator: { replicatedJob: "workers", jobIndex: 2 }, replicatedJobs: workers },
    message:
      "spec.coordinator.jobIndex: Invalid value: 2: coordinator job index 2 is invalid for replicatedJob workers",
  },
  {
    what: "a coordinator in an unknown Pod",
    spec: { coordinator: { replicatedJob: "workers", podIndex: 3 }, replicatedJobs: workers },
    message:
      "spec.coordinator.podIndex: Invalid value: 3: coordinator pod index 3 is invalid for replicatedJob workers job index 0",
  },
  {
    what: "a coordinator whose address is too long for a label",
    spec: {
      coordinator: { replicatedJob: "workers" },
      network: { subdomain: long(63) },
      replicatedJobs: workers,
    },
    message: `spec.coordinator: Invalid value: {"replicatedJob":"workers"}: spec will lead to invalid label value "train-workers-0-0.${long(63)}" for coordinator label "jobset.sigs.k8s.io/coordinator" (long JobSet / ReplicatedJob / SubDomain name?): must be no more than 63 bytes`,
  },
  {
    what: "exclusive placement of Pods without an index",
    metadata: { name: "train", annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: "example.com/rack" } },
    spec: { replicatedJobs: [{ ...part("w"), template: nonIndexed() }] },
    message:
      'spec.replicatedJobs[0].template.spec.completionMode: Invalid value: "NonIndexed": must be Indexed for exclusive placement (annotation alpha.jobset.sigs.k8s.io/exclusive-topology), which follows the pod of index 0',
  },
  {
    what: "a PVC template that no container mounts",
    spec: { volumeClaimPolicies: [claimPolicy()], replicatedJobs: workers },
    message: `spec.replicatedJobs: Invalid value: ${STORED_WORKERS}: replicatedJob containers don't have a matching volumeMount: data from VolumeClaimPolicies`,
  },
  {
    what: "two PVC templates with the same name",
    spec: {
      volumeClaimPolicies: [claimPolicy(), claimPolicy("Retain")],
      replicatedJobs: [createMountingJob("w")],
    },
    message:
      'spec.volumeClaimPolicies[1].template[0].name: Invalid value: "data": names must be unique for VolumeClaimPolicies template',
  },
  {
    what: "a PVC template name that is too long",
    spec: {
      volumeClaimPolicies: [claimPolicy("Delete", long(60))],
      replicatedJobs: [
        part("w", {
          podSpec: { container: { volumeMounts: [{ name: long(60), mountPath: "/data" }] } },
        }),
      ],
    },
    message: `spec.volumeClaimPolicies[0].template[0].name: Invalid value: "${long(60)}": VolumeClaimPolicies template name is too long`,
  },
  {
    what: "a PVC template and a volume with the same name",
    spec: {
      volumeClaimPolicies: [claimPolicy()],
      replicatedJobs: [
        part("w", {
          podSpec: {
            container: { volumeMounts: [{ name: "data", mountPath: "/data" }] },
            volumes: [{ name: "data", emptyDir: {} }],
          },
        }),
      ],
    },
    message:
      'spec.replicatedJobs[0].template.spec.template.spec.volumes[0].name: Invalid value: "data": volume name conflicts with VolumeClaimPolicy template name: data',
  },
  {
    what: "a negative TTL",
    spec: { ttlSecondsAfterFinished: -1, replicatedJobs: workers },
    message:
      "spec.ttlSecondsAfterFinished: Invalid value: -1: spec.ttlSecondsAfterFinished in body should be greater than or equal to 0",
    bySchema: true,
  },
];

/** Returns a Job template whose Pods have no index. */
function nonIndexed(): Stored {
  const { template } = part("w");
  return { ...template, spec: { ...template.spec, completionMode: "NonIndexed" } };
}

export const rejectedCreationStories: readonly Scenario[] = rejectedCreations.map(
  ({ what, spec, metadata = { name: "train" }, gates = [], message, bySchema }) => ({
    name: `refused: ${what}`,
    gates,
    async play(stage) {
      const reject = bySchema ? invalid : deniedJobSet;
      assert.equal(await stage.tryCreate(spec, metadata), reject(message, metadata.name));
    },
  }),
);
