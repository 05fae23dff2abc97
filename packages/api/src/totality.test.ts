// Every exported function of this package, with the possible values of each argument. A test fails if an exported
// function is missing here.

import { childJobs, jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { clusterObjects } from "../../testing/src/arbitraries/arbitrary-objects.ts";
import { hostileValues } from "../../testing/src/arbitraries/hostile-values.ts";
import {
  type ArgumentKind,
  anything,
  type FunctionTable,
  trusted,
} from "../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import * as conditionsExports from "./conditions.ts";
import * as errorsExports from "./errors.ts";
import * as indexExports from "./index.ts";
import * as keysExports from "./keys.ts";
import * as kubernetesExports from "./kubernetes.ts";
import * as redactionExports from "./redaction.ts";
import * as schemaExports from "./schema.ts";
import * as textExports from "./text.ts";
import type { ShapeName } from "./typed.ts";
import * as typedExports from "./typed.ts";

/** All exports of the entries. */
const api = {
  ...conditionsExports,
  ...errorsExports,
  ...indexExports,
  ...keysExports,
  ...kubernetesExports,
  ...redactionExports,
  ...schemaExports,
  ...textExports,
  ...typedExports,
};

/** Absent, or text of any characters and any length. */
const text: ArgumentKind = {
  typed: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "train", "\ud800", "\u0000\n", "a/b/c", "x".repeat(5_000), "5 GB"),
  ),
};
const anyText = anything(text.typed);
const number: ArgumentKind = { typed: fc.oneof(fc.double(), fc.integer()) };
const anyNumber = anything(number.typed);

const jobSet = anything(jobSets());
const object = anything(clusterObjects());
const type = trusted("JobSet", "Pod", "ReplicatedJob", "ResourceRequirements", "Condition");
const elementType = trusted("JobSet", "PodSpec", "Quantity", "Time", "int32", "string");
const anyOfAType = anything(fc.oneof(jobSets(), clusterObjects(), hostileValues()));
const quantities = ["1", "1.5Gi", "-3e5", "0", "12E"].map((quantity) => {
  const parsed = api.parseQuantity(quantity);
  return parsed.ok ? parsed.value : undefined;
});
const quantity = trusted(...quantities);
const fieldError = { typed: fc.constant(api.required("spec", "now")) };
const selectors = fc.record({
  matchLabels: fc.constant({ app: "train" }),
  matchExpressions: fc.array(
    fc.record({
      key: fc.constantFrom("app", "tier"),
      operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
      values: fc.array(fc.constantFrom("train", "")),
    }),
  ),
});
const labels = fc.dictionary(fc.constantFrom("app", "tier", "__proto__"), fc.constantFrom("train"));

const rows = {
  TruncatedErrors: {
    of: [fieldError],
    calls: (error: never) => {
      const errors = new api.TruncatedErrors(() => error);
      errors.add(() => error);
      return [errors.errors, errors.omitted];
    },
  },
  isTypedSubset: [anyOfAType, anyOfAType, elementType],
  getAnnotation: [object, text],
  apiDefaults: [anyOfAType, elementType],
  applyMergePatch: [anything(), anything()],
  truncateList: {
    of: [trusted([], ["a", "x".repeat(20_000)])],
    calls: (list: never) => api.truncateList(list, String, ["[", ",", "]"]),
  },
  truncateQuoted: [text],
  truncateText: [text, number],
  byteLength: [anyText],
  canonicalQuantity: [anyText],
  compareBytes: [text, text],
  getControllerOf: [object],
  decodeErrors: {
    of: [anyOfAType, type],
    calls: (value: unknown, shape: ShapeName) => {
      const { errors, omitted } = api.decodeErrors(value, shape);
      return [errors, omitted];
    },
  },
  defaultJobSet: [jobSet],
  defaultJobSetRequest: [jobSet],
  validateDNS1035Label: [anyText],
  validateDNS1123Label: [anyText],
  duplicate: [text, anything()],
  encodeUtf8: [text],
  equalQuantities: [quantity, quantity],
  semanticEqual: [anyOfAType, anyOfAType, elementType],
  isEqualJson: [anything(), anything()],
  escapeUnprintable: [text],
  toSingleLine: [text],
  resolveFeatureGates: [trusted({}, { RestartJob: true }, undefined, null)],
  formatFieldError: [fieldError],
  fieldPath: [trusted([], ["spec", 0, "a/b", Number.NaN])],
  truncateUtf8: [anyText, number],
  findUnknownFields: [anyOfAType, trusted("JobSet", "Pod")],
  forbidden: [text, text],
  formatMicroTime: [anyNumber],
  formatTime: [anyNumber],
  fqdn: [text, trusted({ namespace: "ml" })],
  resolveGenerateName: [anyText],
  createRedactor: {
    of: [anyOfAType, anyText],
    calls: (value: unknown, message: string) => {
      const redactor = api.createRedactor();
      const redacted = [redactor.redactObject(value), redactor.redactValue(value)];
      return [redacted, redactor.redactText(message), redactor.redactMessages(value)];
    },
  },
  findCondition: [anything(fc.constant([{ type: "Failed" }])), text],
  deepEqualTyped: [anyOfAType, anyOfAType, elementType],
  asInteger: [anything(fc.nat()), number],
  internalError: [text],
  invalid: [text, anything(), text],
  incrementInt32: [number],
  formatInt64: [anyNumber],
  isInt32: [anyNumber],
  isInt64: [anyNumber],
  isLongerThan: [anyText, number],
  isObject: [anything()],
  isRawJson: [type, text],
  isSuspended: [jobSet],
  isRedactedPath: [trusted([], ["env", 0, "value", "x"], ["__proto__", Number.NaN])],
  isShapeName: [elementType],
  jobName: [text, text, number],
  jobSetDecodeErrors: [jobSet],
  jsonQuote: [anyText],
  jobSetSchema: [],
  namespacedName: [object],
  getLabel: [object, text],
  validateLabelValue: [anyText],
  asArray: [anything(childJobs())],
  compilePattern: {
    of: [text, text],
    calls: (pattern: string, of: string) => api.compilePattern(pattern)(of),
  },
  asRecord: [object],
  omittedSuffix: [number],
  getName: [object],
  getNamespace: [object],
  namespacedJobValue: [text, text],
  notSupported: [text, anything(), trusted([], ["a", "\ud800"])],
  parse: {
    of: [anything()],
    calls: (value: unknown) => [api.parse(api.jobSetSchema(), value).ok],
  },
  parseFeatureGates: [trusted("", "RestartJob=true", undefined, null)],
  parseIntegerLabel: [anyText],
  parseJobSet: [jobSet],
  parseQuantity: {
    of: [anyText],
    calls: (value: unknown) => fc.stringify(api.parseQuantity(value)),
  },
  parseTime: [anything(fc.constantFrom("2026-02-07T06:56:19Z", "2026-02-30T00:00:00Z"))],
  podDnsName: [text, text],
  podHostname: [text, number],
  validateQualifiedName: [anyText],
  goQuote: [text],
  readTimestamp: [anyText],
  renderJson: [anyOfAType, elementType],
  renderJsonList: [anyOfAType, elementType],
  getReplicas: [anything(fc.constant({ name: "workers", replicas: 2 }))],
  getReplicatedJobs: [jobSet],
  redactPath: [trusted([], ["env", 0, "value", "x"], ["__proto__", Number.NaN])],
  shortenRepeatedValue: {
    of: [text],
    calls: (value: string) => api.shortenRepeatedValue(() => value)(),
  },
  required: [text, text],
  getRestarts: [jobSet],
  matchesLabelSelector: [anything(selectors), anything(labels)],
  toleratesTaint: [
    anything(fc.constant({ key: "gpu", operator: "Gt", value: "1" })),
    anything(fc.constant({ key: "gpu", value: "2", effect: "NoSchedule" })),
  ],
  setApiDefaults: [anyOfAType, elementType],
  getShape: [type],
  formatValue: [anything()],
  stringifyJson: [anything()],
  validateDNS1123Subdomain: [anyText],
  getSubdomain: [jobSet],
  asString: [anyText],
  toInt32: [number],
  suggestName: [text, { typed: fc.array(text.typed) }],
  truncateErrors: {
    of: [fieldError],
    calls: (error: never) => api.truncateErrors([error, error]).errors,
  },
  notFound: [text, anything(), text],
  tooLong: [text, anything(), number],
  tooMany: [text, number, number],
  typeInvalid: [text, anything(), text],
  findTypedDifferences: [anyOfAType, anyOfAType, elementType],
  getUid: [object],
  isBeingDeleted: [object],
  volumeClaimName: [text, text],
  withFirstFailedJob: [text, text],
  formatTimestamp: [trusted({ seconds: 0, nanoseconds: 0 }, { seconds: 1e12, nanoseconds: 5 })],
} satisfies FunctionTable<typeof api>;

testTotality("@jobset-ts/api", api, rows);
