import { mutateJobSet } from "@jobset-ts/admission";
import type { JobSet } from "@jobset-ts/api";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { withEveryMember } from "../arbitraries/schema-samples.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { type EnumeratedCases, enumerateCases, memoize } from "./enumerated-cases.ts";
import type { Law } from "./law.ts";
import { replicatedJob } from "./rule-samples.ts";
import {
  checkUnexpectedChange,
  findUnexpectedChange,
  formatPath,
  getMemberAt,
  type ObjectPath,
  sortedJson,
} from "./unexpected-changes.ts";
import type { MutatingWebhook } from "./webhook.ts";
import { callMutatingWebhook, createWebhookLaw, type WebhookCase } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

/** A JobSet without some of the fields that have a default. */
interface OpenCase extends WebhookCase {
  readonly object: JobSet;
  readonly open: readonly ObjectPath[];
}

const podSpec = ["template", "spec", "template", "spec"];

const places = ["0", "1", "2"] as const;

/** The paths in {@link complete} of the fields that have a default. */
const openable: readonly ObjectPath[] = [
  ["spec", "successPolicy"],
  ["spec", "startupPolicy"],
  ...places.flatMap((at) => [
    ["spec", "replicatedJobs", at, "template", "spec", "completionMode"],
    ["spec", "replicatedJobs", at, ...podSpec, "restartPolicy"],
    ["spec", "failurePolicy", "rules", at, "name"],
    ["spec", "volumeClaimPolicies", at, "retentionPolicy"],
    ["spec", "volumeClaimPolicies", at, "retentionPolicy", "whenDeleted"],
  ]),
  ["spec", "network"],
  ["spec", "network", "enableDNSHostnames"],
  ["spec", "network", "publishNotReadyAddresses"],
];

/** A JobSet with every field, and no default values. */
const complete: JobSet = asJson<JobSet>(
  aJobSet("train").withSpec({
    network: { enableDNSHostnames: false, publishNotReadyAddresses: false, subdomain: "net" },
    successPolicy: { operator: "Any", targetReplicatedJobs: ["workers"] },
    startupPolicy: { startupPolicyOrder: "InOrder" },
    failurePolicy: {
      maxRestarts: 3,
      rules: [
        { name: "first", action: "FailJobSet", onJobFailureReasons: ["DeadlineExceeded"] },
        { name: "second", action: "RestartJobSet" },
        { name: "third", action: "FailJobSet" },
      ],
    },
    volumeClaimPolicies: ["data", "logs", "models"].map((name) => ({
      templates: [{ metadata: { name }, spec: {} }],
      retentionPolicy: { whenDeleted: "Retain" },
    })),
    replicatedJobs: ["driver", "workers", "evaluators"].map((name) =>
      replicatedJob(name, { completionMode: "NonIndexed", backoffLimit: 0 }),
    ),
  }),
);

/** An API server generates the name only after the mutating webhooks. */
const jobSetWithoutNames: JobSet = asJson<JobSet>({
  ...complete,
  metadata: { ...complete.metadata, name: undefined, generateName: "train-" },
});

const withSpec = (members: object): JobSet => ({
  ...complete,
  spec: { ...complete.spec, ...members },
});

/** JobSets with equal defaults. */
const variants: readonly JobSet[] = [
  complete,
  jobSetWithoutNames,
  withSpec({ suspend: true }),
  withSpec({ managedBy: "acme.io/controller" }),
  withSpec({ ttlSecondsAfterFinished: 60, coordinator: { replicatedJob: "driver" } }),
];

/** Returns cases that omit each field alone, all fields, and some fields. Fields of {@link everyMember} stay. */
function openJobSets(operation: "CREATE" | "UPDATE" = "CREATE"): EnumeratedCases<OpenCase> {
  const items: readonly (() => fc.Arbitrary<DefaultedObject>)[] = [
    ...openable.map((place) => () => arbitraryObject([place])),
    () => arbitraryObject(openable),
    () => fc.constant({ open: [], object: everyMember() }),
    // A webhook may set several omitted fields together.
    ...openable.map(
      () => () => fc.subarray([...openable], { minLength: 2 }).chain(arbitraryObject),
    ),
  ];
  return enumerateCases(items, (draw) =>
    draw().map(({ open, object }) => ({
      kind: "JobSet",
      situation:
        open.length === 0 ? "all fields are set" : `left open: ${open.map(formatPath).join(", ")}`,
      operation,
      open,
      object,
      ...(operation === "UPDATE" && { oldObject: { ...object, metadata: editMetadata(object) } }),
      cluster: [],
    })),
  );
}

type DefaultedObject = Pick<OpenCase, "open" | "object">;

function arbitraryObject(open: readonly ObjectPath[]): fc.Arbitrary<DefaultedObject> {
  return fc
    .constantFrom(...variants)
    .map((jobSet) => ({ open, object: open.reduce<JobSet>(removeAt, jobSet) }));
}

/** {@link complete} with every field of the schema in one template. Some fields are empty. */
const everyMember = memoize(() => {
  const { replicatedJobs = [] } = complete.spec;
  const jobs = replicatedJobs.map((job, at) => (at === 1 ? withEveryMember(job) : job));
  const metadata = { ...complete.metadata, labels: {}, finalizers: [] };
  return asJson<JobSet>({
    ...complete,
    metadata,
    spec: { ...complete.spec, replicatedJobs: jobs },
  });
});

function editMetadata({ metadata }: JobSet): object {
  return { ...metadata, labels: { team: "a" } };
}

function removeAt(object: JobSet, place: ObjectPath): JobSet {
  return getMemberAt(object, place.slice(0, -1)) === undefined
    ? object
    : asJson(removeMember(object, place) as JobSet);
}

function removeMember(value: unknown, [name = "", ...rest]: ObjectPath): unknown {
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === name ? removeMember(one, rest) : one));
  }
  const members = Object.entries(Object(value)).flatMap(([own, member]) => {
    if (own !== name) return [[own, member]];
    return rest.length === 0 ? [] : [[own, removeMember(member, rest)]];
  });
  return Object.fromEntries(members);
}

/** Returns the JobSet after JobSet's webhook. */
function getDefaulted({ operation, object, oldObject }: OpenCase): unknown {
  const result = mutateJobSet(
    { operation, object, oldObject },
    createSnapshot([]),
    createContext({ now: 0 }),
  );
  return result.allowed ? result.object : object;
}

/**
 * Fields with defaults are the success policy, the startup policy, the completion mode of Jobs, the restart policy of
 * Pods, the network and its fields, the names of failure policy rules, and the retention policy of PVCs.
 *
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.Default`
 */
export const newJobSetsGetDefaults: Law<MutatingWebhook> = createWebhookLaw(
  "newJobSetsGetDefaults",
  {
    sentence: "Each field that a new JobSet omits gets its default.",
    defects: ["#60"],
  },
  openJobSets(),
  async (subject: MutatingWebhook, generated: OpenCase) => {
    const found = await callMutatingWebhook(subject, generated);
    if (!("object" in found)) return found;
    const due = getDefaulted(generated);
    for (const place of generated.open) {
      const [own, expected] = [found.object, due].map((one) => getMemberAt(one, place));
      if (findUnexpectedChange(expected, own, []) === undefined) continue;
      return {
        actual: `${formatPath(place)} is ${sortedJson(own)}`,
        expected: sortedJson(expected),
      };
    }
    return undefined;
  },
);

/**
 * Defaults only set absent fields. Existing values remain, even if they are false, empty or unusual. New empty
 * fields do not count.
 */
export const givenValuesAreKept: Law<MutatingWebhook> = createWebhookLaw(
  "givenValuesAreKept",
  { sentence: "Defaulting changes no field that a new JobSet sets.", defects: ["#394", "#528"] },
  openJobSets(),
  async (subject: MutatingWebhook, generated: OpenCase) => {
    const found = await callMutatingWebhook(subject, generated);
    return "object" in found
      ? checkUnexpectedChange("JobSet", generated.object, found.object, generated.open)
      : found;
  },
);

/** A manifest that was defaulted, exported and applied again stays the same. */
export const defaultingIsIdempotent: Law<MutatingWebhook> = createWebhookLaw(
  "defaultingIsIdempotent",
  { sentence: "Defaulting a JobSet a second time changes nothing.", defects: ["#927"] },
  openJobSets(),
  async ({ mutate }: MutatingWebhook, generated: OpenCase) => {
    const once = await callWebhook(mutate, "JobSet", generated);
    if (!once.allowed) return undefined;
    const twice = await callWebhook(mutate, "JobSet", { ...generated, object: once.object });
    if (!twice.allowed) {
      return {
        actual: `denies it the second time: ${twice.message}`,
        expected: "admitted without changes",
      };
    }
    return checkUnexpectedChange("JobSet", once.object, twice.object, [], generated.object);
  },
);

/** If updates got defaults, clients that apply their own version would conflict with the webhook forever. */
export const updatesGetNoDefaults: Law<MutatingWebhook> = createWebhookLaw(
  "updatesGetNoDefaults",
  {
    sentence: "Defaulting does not change an update of a JobSet, even if it omits fields.",
    defects: ["#927", "#528"],
  },
  openJobSets("UPDATE"),
  async (subject: MutatingWebhook, generated: OpenCase) => {
    const found = await callMutatingWebhook(subject, generated);
    return "object" in found
      ? checkUnexpectedChange("JobSet", generated.object, found.object, [])
      : found;
  },
);
