import type { Unvalidated } from "@jobset-ts/api";
import { asString, findCondition, getName, getUid } from "@jobset-ts/api/kubernetes";
import {
  conditionEvidence,
  createKey,
  fieldEvidence,
  sinceTime,
} from "../../checks/check-results.ts";
import type { ObjectWithConditions } from "../../view/cluster-facts.ts";
import { type HeldJobSet, type Hold, listUnreadyChecks, MULTIKUEUE } from "./hold.ts";
import { explainCheck } from "./inactive-queues.ts";
import {
  type AdmissionCheck,
  type AdmissionCheckState,
  createKueueKey,
  findKueueObject,
  listNames,
} from "./kueue-objects.ts";

const PROVISIONING = "kueue.x-k8s.io/provisioning-request";
const AUTOSCALING_GROUP = "autoscaling.x-k8s.io";

/** Returns the hold of a Workload whose admission checks are not ready. */
export function findUnreadyCheck(held: HeldJobSet): Hold | undefined {
  const described = listUnreadyChecks(held).map((check) => describeCheck(held, check));
  const [first] = described;
  if (first === undefined) return undefined;
  return {
    id: "admission-check-not-ready",
    message: described.map(({ message }) => message).join("; "),
    objects: described.flatMap(({ objects = [] }) => objects),
    evidence: described.flatMap(({ evidence = [] }) => evidence),
    status: "Waiting",
    ...(first.since !== undefined && { since: first.since }),
    advice: described.flatMap(({ advice = [] }) => advice),
  };
}

function describeCheck(held: HeldJobSet, state: Unvalidated<AdmissionCheckState>): Hold {
  const { view, key, title } = held;
  const name = asString(state.name);
  const check = findKueueObject<AdmissionCheck>(view, "AdmissionCheck", "", name);
  const controller = asString(check?.spec?.controllerName);
  const own = createKueueKey("AdmissionCheck", "", name);
  const inactive = explainCheck(view, name);
  const by =
    controller === MULTIKUEUE
      ? describeMultiKueue(held)
      : controller === PROVISIONING || findRequests(held, name).length > 0
        ? describeProvisioning(held, name)
        : { text: "", objects: [], evidence: [], advice: [] };
  const said = asString(state.message);
  const label = `${asString(state.state) || "Pending"}${said === "" ? "" : `: ${said}`}`;
  const message = [
    `admission check ${name} of ${title} is ${label}`,
    ...inactive.texts,
    ...(by.text === "" || said.includes(by.text) ? [] : [by.text]),
  ].join("; ");
  const advice = [...inactive.advice, ...by.advice];
  return {
    id: "admission-check-not-ready",
    message,
    objects: [...inactive.objects, ...by.objects, own],
    evidence: [
      ...inactive.evidence,
      fieldEvidence(key, `status.admissionChecks[${name}].state`, label),
      ...by.evidence,
      ...(controller === "" ? [] : [fieldEvidence(own, "spec.controllerName", controller)]),
    ],
    ...sinceTime(state.lastTransitionTime),
    advice:
      advice.length > 0
        ? advice
        : [
            `wait for the controller of the check, or read its log: kubectl describe admissioncheck ${name}`,
          ],
  };
}

function describeMultiKueue({ view, workload, key }: HeldJobSet) {
  const nominated = listNames(workload.status?.nominatedClusterNames);
  const clusters =
    nominated.length === 0
      ? "no worker cluster is nominated"
      : `nominated worker clusters: ${nominated.join(", ")}`;
  const [example = "WORKER"] = nominated;
  return {
    text: `MultiKueue has not dispatched it to a worker cluster yet; ${clusters}`,
    objects: nominated.map((name) => createKueueKey("MultiKueueCluster", "", name)),
    evidence: [fieldEvidence(key, "status.nominatedClusterNames", clusters)],
    advice: [
      `check the Workload in the worker clusters, which have to admit it: kubectl --context ${example} describe workload ${getName(workload)} -n ${view.namespace}`,
    ],
  };
}

/** Returns the ProvisioningRequests of a Workload and a check. Kueue names them after both. */
function findRequests({ view, workload }: HeldJobSet, check: string) {
  const start = `${getName(workload)}-${check}-`;
  const all = view.facts.controlledBy(getUid(workload), "ProvisioningRequest", AUTOSCALING_GROUP);
  const attempt = (name: string) => Number(/^\d{1,9}$/.exec(name.slice(start.length))?.[0] ?? 0);
  return all
    .filter((request) => getName(request).startsWith(start))
    .sort((one, other) => attempt(getName(other)) - attempt(getName(one)));
}

function describeProvisioning(held: HeldJobSet, check: string) {
  const { view } = held;
  const [request] = findRequests(held, check);
  const command = `kubectl get provisioningrequests -n ${view.namespace}`;
  const advice = [
    `wait until the autoscaler has found capacity; Kueue repeats the request: ${command}`,
  ];
  if (request === undefined) return { text: "", objects: [], evidence: [], advice };
  const object = createKey("ProvisioningRequest", request);
  const name = getName(request);
  const shown = ["Failed", "BookingExpired", "CapacityRevoked", "Provisioned", "Accepted"].flatMap(
    (type) => describeCondition(request, type),
  );
  const [first] = shown;
  return {
    text:
      first === undefined
        ? `ProvisioningRequest ${name} has no result yet`
        : `ProvisioningRequest ${name}: ${first.text}`,
    objects: [object],
    evidence: shown.map(({ type, text }) => conditionEvidence(object, type, text)),
    advice: advice.map((line) =>
      line.replace(command, `kubectl describe provisioningrequest ${name} -n ${view.namespace}`),
    ),
  };
}

function describeCondition({ status }: Unvalidated<ObjectWithConditions>, type: string) {
  const condition = findCondition(status?.conditions, type);
  if (condition === undefined) return [];
  const isShown = type === "Provisioned" || type === "Accepted" || condition.status === "True";
  const text = `${asString(condition.reason)}: ${asString(condition.message)}`;
  return isShown ? [{ type, text }] : [];
}
