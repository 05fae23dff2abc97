import { eventually } from "../cluster.ts";
import { getRejectionMessage, type Stage } from "../scenario.ts";

/** The Jobs that the API server rejects. */
interface RejectedJobs {
  readonly operation: "CREATE" | "UPDATE";
  /** The name of the Job. By default, all Jobs of the story. */
  readonly name?: string;
  /** The message, as a CEL expression about the `object`. */
  readonly messageExpression: string;
}

/** Makes the API server reject Jobs of the story. Returns a function that stops this. */
export async function rejectJobs(
  { cluster, namespace }: Stage,
  { operation, name, messageExpression }: RejectedJobs,
): Promise<() => Promise<void>> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const createMatchRule = (apiGroups: string[], resources: string[], operations: string[]) => {
    return { apiGroups, apiVersions: ["v1"], operations, resources };
  };
  const isLetIn =
    name === undefined ? "false" : `object.kind == 'Job' && object.metadata.name != '${name}'`;
  await cluster.apply({
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: namespace },
    spec: {
      failurePolicy: "Fail",
      // Test requests for Secrets show whether the policy is in force.
      matchConstraints: {
        resourceRules: [
          createMatchRule(["batch"], ["jobs"], [operation]),
          createMatchRule([""], ["secrets"], ["CREATE"]),
        ],
      },
      validations: [{ expression: isLetIn, messageExpression }],
    },
  });
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
  await cluster.apply({
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: namespace },
    spec: {
      policyName: namespace,
      validationActions: ["Deny"],
      matchResources: { namespaceSelector },
    },
  });
  await eventually("Jobs are rejected", async () => {
    const metadata = { generateName: "trial-", namespace };
    return getRejectionMessage(cluster.create({ apiVersion: "v1", kind: "Secret", metadata }));
  });
  return async () => {
    await cluster.delete("ValidatingAdmissionPolicyBinding", "", namespace);
  };
}
