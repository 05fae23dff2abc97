import type { FindingId } from "../../checks/finding-ids.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { adviseRecreation } from "../containers/recreate.ts";
import { adviseOnWebhook } from "./webhook-advice.ts";

/** The findings whose message is an error of the API server. */
const rejections: ReadonlySet<FindingId> = new Set<FindingId>([
  "job-rejected",
  "leader-rejected",
  "pods-rejected",
  "service-rejected",
  "volume-claim-rejected",
]);

/** Returns the advice for a rejected object, according to the error in the message. Undefined for other errors. */
export function adviseOnRejection(
  view: JobSetView,
  id: FindingId,
  message: string,
): readonly string[] | undefined {
  if (id === "service-foreign") {
    return [
      `recreate JobSet ${view.name} with another name or \`spec.network.subdomain\`, which is immutable`,
    ];
  }
  if (id === "webhook-unavailable") return adviseOnWebhook(message);
  if (!rejections.has(id)) return undefined;
  const known = adviceByError.find(([pattern]) => pattern.test(message));
  return known?.[1](view);
}

const adviceByError: readonly (readonly [RegExp, (view: JobSetView) => readonly string[]])[] = [
  [
    /denied the request|denied request/,
    (view) => [adviseRecreation(view, "satisfy the policy in the message")],
  ],
  [
    /exceeded quota/,
    ({ namespace }) => [
      `free quota or raise it, then the controller retries: run \`kubectl describe resourcequota -n ${namespace}\``,
    ],
  ],
  [
    /failed quota: .*must specify/s,
    (view) => [adviseRecreation(view, "set the resources that the quota in the message requires")],
  ],
  [
    /(?:maximum|minimum) \S+ usage per|max limit to request ratio/,
    (view) => [
      adviseRecreation(view, "set resources within the LimitRange"),
      `run \`kubectl describe limitrange -n ${view.namespace}\``,
    ],
  ],
  [
    /violates PodSecurity/,
    (view) => [
      adviseRecreation(view, "set the securityContext that the Pod Security Standard requires"),
      `run \`kubectl get namespace ${view.namespace} --show-labels\` for the level of the namespace`,
    ],
  ],
  [
    /being terminated/,
    ({ name }) => [`recreate JobSet ${name} in a namespace that is not being deleted`],
  ],
  [
    /User "[^"]*" cannot |cannot set blockOwnerDeletion/,
    () => [
      "grant the permission in the message to the controller: reinstall its ClusterRole and ClusterRoleBinding",
    ],
  ],
  [
    /service ?account .*not found|RuntimeClass .*not found|no PriorityClass with name/s,
    (view) => [
      "create the missing object in the message, then the controller retries",
      adviseRecreation(view, "if its name is wrong, correct it"),
    ],
  ],
  [
    /unable to validate against any security context constraint/,
    (view) => [
      adviseRecreation(view, "set the securityContext that a SecurityContextConstraint allows"),
      `or let the ServiceAccount use another one: run \`kubectl get rolebindings -n ${view.namespace}\``,
    ],
  ],
  [
    /etcdserver: |request timed out|did not complete within|client rate limiter|too many requests|connection refused|i\/o timeout|EOF$/i,
    () => [
      "check the API server and etcd; the controller retries: run `kubectl get --raw /readyz?verbose`",
    ],
  ],
  [/ is invalid: /, (view) => [adviseRecreation(view, "correct the field in the message")]],
];
