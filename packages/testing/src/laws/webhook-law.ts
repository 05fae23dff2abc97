import { createJsonPatch } from "@jobset-ts/admission/patch";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import type { KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import type fc from "fast-check";
import { type EnumeratedCases, RunNumber } from "./enumerated-cases.ts";
import { formatParts, formatTable, formatYaml } from "./format-case.ts";
import { createLaw, type Law, type LawText } from "./law.ts";
import type { MutatingWebhook } from "./webhook.ts";
import {
  callWebhook,
  InvalidResponseError,
  type ReviewedKind,
  type WebhookRequest,
  type WebhookResponse,
} from "./webhook-request.ts";

/** A request to a webhook, and the situation that it tests. */
export interface WebhookCase extends WebhookRequest {
  readonly kind: ReviewedKind;
  /** A short description of the case. */
  readonly situation: string;
}

/** How a response violates a law. */
export interface WebhookViolation {
  /** The actual behavior of the webhook. */
  readonly actual: string;
  /** The expected behavior. */
  readonly expected: string;
}

/**
 * Creates a law of a webhook. An invalid response violates every law.
 *
 * @param cases - an arbitrary generates one case per run; {@link EnumeratedCases} uses each case
 */
export function createWebhookLaw<Subject, Case extends WebhookCase>(
  name: string,
  text: LawText,
  cases: fc.Arbitrary<Case> | EnumeratedCases<Case>,
  violation: (subject: Subject, generated: Case) => Promise<WebhookViolation | undefined>,
): Law<Subject> {
  const number = new RunNumber();
  const generated: fc.Arbitrary<readonly Case[]> =
    "caseAt" in cases ? number.getCases(cases) : cases.map((one) => [one]);
  const law = createLaw(
    name,
    text,
    generated.map((several) => ({ several })),
    async (subject: Subject, { several }) => {
      for (const one of several) {
        const found = await violation(subject, one).catch(asViolation);
        if (found !== undefined) return { details: formatViolation(one, found) };
      }
      return undefined;
    },
  );
  return Object.assign((subject: Subject) => number.trackRuns(law(subject)), text);
}

function asViolation(error: unknown): WebhookViolation {
  if (!(error instanceof InvalidResponseError)) throw error;
  return { actual: error.message, expected: "an AdmissionReview that answers the request" };
}

function formatViolation(generated: WebhookCase, { actual, expected }: WebhookViolation): string {
  return `${formatCase(generated)}\nThe webhook\n  ${actual}\nExpected\n  ${expected}`;
}

/** Returns the object after a mutating webhook, or the violation if it was denied. */
export async function callMutatingWebhook(
  { mutate }: MutatingWebhook,
  generated: WebhookCase,
): Promise<{ readonly object: unknown } | WebhookViolation> {
  const response = await callWebhook(mutate, generated.kind, generated);
  return response.allowed
    ? response
    : {
        actual: `denies it: ${response.message}`,
        expected: "admitted, because the validating webhook decides",
      };
}

/** Returns the violation if a validating webhook made the wrong decision. */
export function checkDecision(
  response: WebhookResponse,
  expected: { allowed: boolean; reason: string },
): WebhookViolation | undefined {
  if (response.allowed === expected.allowed) return undefined;
  return {
    actual: response.allowed ? "admits it" : `denies it: ${response.message}`,
    expected: `${expected.allowed ? "admitted" : "denied"}: ${truncateText(expected.reason)}`,
  };
}

/** Truncates a long text. */
export function truncateText(words: string): string {
  return words.length > 240 ? `${words.slice(0, 240)}…` : words;
}

/** Formats a case for people: the request and the cluster. */
function formatCase({
  situation,
  kind,
  operation,
  object,
  oldObject,
  cluster,
}: WebhookCase): string {
  const shown =
    kind === "Pod" ? simplifyPod : operation === "UPDATE" ? summarizeJobSet : omitBuilderDefaults;
  const before = operation === "CREATE" ? object : oldObject;
  const edits =
    operation === "UPDATE"
      ? createJsonPatch(oldObject, object).map(
          (one) => `${one.op} ${one.path}${"value" in one ? `: ${JSON.stringify(one.value)}` : ""}`,
        )
      : [];
  const verb = { CREATE: "to be created", UPDATE: "as it is", DELETE: "to be deleted" }[operation];
  return formatParts([
    ["Situation", [situation]],
    [`${kind} ${verb}`, formatYaml(shown(before))],
    ["Its update", edits],
    ["Cluster", clusterLines(cluster)],
  ]);
}

const headings: readonly string[] = ["", "node", "phase", "owner", "domain", "spec"];

/** Empty columns are omitted. */
function clusterLines(cluster: readonly KubernetesObject[]): readonly string[] {
  if (cluster.length === 0) return [];
  const rows = cluster.map(createRow);
  const isShown = (_: string, column: number) =>
    column === 0 || rows.some((row) => row[column] !== "");
  const shown = [headings, ...rows].map((row) => row.filter(isShown));
  const hasHeadings = (shown[0] ?? []).length > 1;
  return formatTable(hasHeadings ? shown : shown.slice(1));
}

function createRow(object: KubernetesObject): readonly string[] {
  const { kind, metadata } = object;
  const { spec = {}, status = {} } = object as unknown as {
    readonly spec?: { readonly nodeName?: string };
    readonly status?: { readonly phase?: string };
  };
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? "";
  const isGoing = metadata.deletionTimestamp !== undefined;
  const namespace = (metadata.namespace ?? "default") === "default" ? "" : `${metadata.namespace}/`;
  const labels = kind === "Node" ? Object.entries(metadata.labels ?? {}) : [];
  return [
    `${kind} ${namespace}${metadata.name ?? ""}`,
    spec.nodeName ?? "",
    `${status.phase ?? ""}${isGoing ? " (being deleted)" : ""}`,
    owner,
    labels.map(([key, value]) => `${key}=${value}`).join(" "),
    kind === "PersistentVolumeClaim" ? JSON.stringify(spec) : "",
  ];
}

/** Labels and annotations that every Pod of a JobSet has. The situation mentions missing ones. */
const usualKeys: ReadonlySet<string> = new Set([
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
]);
const annotationKeys = new Set([
  EXCLUSIVE_TOPOLOGY_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
]);

function simplifyPod(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { metadata = {}, spec = {}, status: _, ...rest } = value as Partial<Pod>;
  const { labels, annotations, ownerReferences = [], uid: __, namespace: ___, ...named } = metadata;
  const selectMembers = (members: object | undefined, isShown: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(members ?? {}).filter(([key]) => isShown(key)));
  const { containers, ...placed } = spec as Readonly<Record<string, unknown>>;
  const { apiVersion: ____, kind: _____, ...own } = rest;
  return {
    ...own,
    metadata: {
      ...named,
      annotations: selectMembers(annotations, (key) => annotationKeys.has(key)),
      labels: selectMembers(
        labels,
        (key) => !usualKeys.has(key) && key !== JOB_COMPLETION_INDEX_KEY,
      ),
      owner: ownerReferences.map((one) => one?.uid).join(" ") || undefined,
    },
    spec: placed,
  };
}

/** For updates, returns the fields that decide whether the update is valid. */
function summarizeJobSet(value: unknown): unknown {
  const { metadata, spec, status } = Object(value);
  const { name } = Object(metadata);
  const { suspend } = Object(spec);
  return { metadata: { name }, spec: { suspend }, status };
}

/** Removes the defaults of the builders from a JobSet. */
function omitBuilderDefaults(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { apiVersion: _, kind: __, ...shown } = value as Readonly<Record<string, unknown>>;
  return omitCommonFields(shown, []);
}

const usual: readonly (readonly [place: RegExp, json: RegExp])[] = [
  [/^metadata\/(uid|namespace)$/, /default|-uid/],
  [/^spec\/network\/(enableDNSHostnames|publishNotReadyAddresses)$/, /true/],
  [/^spec\/successPolicy\/operator$/, /"All"/],
  [/groupName$/, /^"default"$/],
  [/replicas$/, /^1$/],
  [/template\/spec\/(parallelism|completions)$/, /^1$/],
  [/completionMode$/, /^"Indexed"$/],
  [/restartPolicy$/, /^"Never"$/],
  [/containers\/0\/(name|image)$/, /./],
];

/** Containers that become empty are removed, too. */
function omitCommonFields(value: unknown, at: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const elements = value.map((one, index) => omitCommonFields(one, [...at, String(index)]));
    return at.at(-1) === "containers" && elements.every(isEmptied) ? undefined : elements;
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const place = [...at, name];
    const isUsual = usual.some(
      ([where, json]) => where.test(place.join("/")) && json.test(JSON.stringify(member) ?? ""),
    );
    const shortened = isUsual ? undefined : omitCommonFields(member, place);
    const isGone = shortened === undefined || (isEmptied(shortened) && !isEmptied(member));
    return isGone ? [] : [[name, shortened]];
  });
  return Object.fromEntries(members);
}

function isEmptied(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
