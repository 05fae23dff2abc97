import { eventually } from "../cluster.ts";
import { refusal, type Stage } from "../scenario.ts";

/** What the API server is to refuse. */
interface Refused {
  readonly operation: "CREATE" | "UPDATE";
  /** The one Job; all of the story without. */
  readonly name?: string;
  /** In which words, as an expression in CEL about the `object`. */
  readonly messageExpression: string;
}

/** Has the API server refuse Jobs of the story; answers with a way to end that. */
export async function refuseJobs(
  { cluster, namespace }: Stage,
  { operation, name, messageExpression }: Refused,
): Promise<() => Promise<void>> {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const matched = (apiGroups: string[], resources: string[], operations: string[]) => {
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
      // Secrets show whether it is in force already.
      matchConstraints: {
        resourceRules: [
          matched(["batch"], ["jobs"], [operation]),
          matched([""], ["secrets"], ["CREATE"]),
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
  await eventually("Jobs are refused", async () => {
    const metadata = { generateName: "trial-", namespace };
    return refusal(cluster.create({ apiVersion: "v1", kind: "Secret", metadata }));
  });
  return async () => {
    await cluster.delete("ValidatingAdmissionPolicyBinding", "", namespace);
  };
}
