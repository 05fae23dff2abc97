import { formatFieldError } from "@jobset-ts/api/errors";
import { expect, it } from "vitest";
import { validateJob, validatePodTemplate } from "./validate-job.ts";

/** Returns the errors of a Job with one container. */
function listErrors(container: object, podSpec: object = {}): readonly string[] {
  const main = { name: "main", image: "app:1", ...container };
  const spec = { restartPolicy: "Never", containers: [main], ...podSpec };
  const job = { metadata: { name: "train" }, spec: { template: { spec } } };
  return validateJob(job).errors.map(formatFieldError);
}

const at = "spec.template.spec.containers[0]";

it.each([
  [{}, []],
  [{ image: undefined }, [`${at}.image: Required value`]],
  [
    { resources: { requests: { "nvidia.com/gpu": "1" } } },
    [`${at}.resources.limits: Required value: Limit must be set for non overcommitable resources`],
  ],
  [
    { resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } },
    [
      `${at}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1500m`,
    ],
  ],
  [
    { volumeMounts: [{ name: "data", mountPath: "/data" }] },
    [`${at}.volumeMounts[0].name: Not found: "data"`],
  ],
])("validateJob finds the errors of the container %j", (container, errors) => {
  expect(listErrors(container)).toEqual(errors);
});

it("validateJob reports what each of a thousand containers lacks in bounded time and space", () => {
  const containers = Array.from({ length: 1000 }, () => ({}));
  const { errors, omitted } = validateJob({
    metadata: { name: "train" },
    spec: { template: { spec: { restartPolicy: "Never", containers } } },
  });
  expect(errors).toHaveLength(200);
  expect(errors.length + omitted).toBe(2999);
});

it("validateJob generates the labels of a Job that the server does not know yet", () => {
  const name = "x".repeat(64);
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } };
  const { errors } = validateJob({ metadata: { name }, spec: { template } });
  expect(errors.map(formatFieldError)).toEqual([
    `spec.template.labels: Invalid value: "${name}": must be no more than 63 bytes`,
    `spec.template.labels: Invalid value: "${name}": must be no more than 63 bytes`,
  ]);
});

it("validateJob skips the rules of Pods if their spec is known to be valid, but not those of the Job", () => {
  const template = { metadata: { labels: { "a b": "" } }, spec: { containers: [] } };
  const { errors } = validateJob(
    { metadata: { name: "train" }, spec: { template } },
    { isPodSpecValid: true },
  );
  expect(errors.map(({ field }) => field)).toEqual([
    "metadata.labels",
    "spec.template.labels",
    "spec.template.spec.restartPolicy",
  ]);
});

it("validatePodTemplate starts fields with its path argument", () => {
  expect(validatePodTemplate({}, "template").errors.map(formatFieldError)).toEqual([
    "template.spec.containers: Required value",
  ]);
});
