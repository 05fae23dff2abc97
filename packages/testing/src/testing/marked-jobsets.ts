import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";

const TEXT = "Hunter2";
const NUMBER = 4815162342;

/**
 * The contents of each secret of {@link markedJobSets}, which occur nowhere else. Output without them contains no
 * secret.
 *
 * @example
 * SECRET_MARKS.some((mark) => "invalid value: 3".includes(mark)) // => false
 */
export const SECRET_MARKS: readonly string[] = [TEXT, String(NUMBER)];

/**
 * Generates JobSets with secrets in all fields that `@jobset-ts/api/redaction` knows: variables, arguments, commands,
 * headers and annotations of all levels, and the manifest that `kubectl apply` stores. Two of them are versions of one
 * JobSet.
 *
 * With `misshapen`, the default, secrets also have types and shapes that the API does not allow.
 *
 * @example
 * fc.assert(
 *   fc.property(markedJobSets(), (jobSet) => jobSet.metadata.name === "train"),
 *   { numRuns: 10 },
 * );
 */
export function markedJobSets({
  misshapen = true,
}: {
  readonly misshapen?: boolean;
} = {}): fc.Arbitrary<KubernetesObject> {
  return fc
    .record({
      annotations: annotations(misshapen),
      templateAnnotations: annotations(misshapen),
      podSpec: podSpecs(misshapen),
      image: fc.constantFrom("train:1", "train:2"),
      replicas: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ annotations, templateAnnotations, podSpec, image, replicas }) => {
      const template = {
        metadata: { annotations: templateAnnotations },
        spec: {
          parallelism: 1,
          completions: 1,
          completionMode: "Indexed",
          template: { metadata: { annotations: templateAnnotations }, spec: podSpec(image) },
        },
      };
      const spec = { replicatedJobs: [{ name: "w", groupName: "default", replicas, template }] };
      const metadata = { name: "train", namespace: "ml", annotations };
      return {
        apiVersion: JOBSET_API_VERSION,
        kind: "JobSet",
        metadata: withLastApplied(metadata, spec),
        spec,
      } as unknown as KubernetesObject;
    });
}

function withLastApplied(metadata: { readonly annotations: unknown }, spec: object): object {
  const { annotations } = metadata;
  if (typeof annotations !== "object") return metadata;
  const lastApplied = JSON.stringify({ metadata, spec });
  const kept = { "kubectl.kubernetes.io/last-applied-configuration": lastApplied };
  return { ...metadata, annotations: { ...annotations, ...kept } };
}

/** One value in three is misshapen, if allowed. */
function maybeMisshapen(
  shaped: fc.Arbitrary<unknown>,
  other: fc.Arbitrary<unknown>,
  misshapen: boolean,
) {
  return misshapen
    ? fc.oneof({ arbitrary: shaped, weight: 2 }, { arbitrary: other, weight: 1 })
    : shaped;
}

const texts = fc.constantFrom(
  `${TEXT}-is-secret`,
  `${TEXT} "quoted"\n\u001b[31m<&>\u00e9`,
  `https://user:${TEXT}@example.com`,
  `{"password":"${TEXT}-in-json"}`,
  `${"x".repeat(300)}${TEXT}`,
);

/** A secret that is not a string. */
const misshapenValues = fc.oneof(
  fc.constantFrom<unknown>(NUMBER, NUMBER + 0.5, [NUMBER], { [TEXT]: 1 }),
  texts.map((text) => [text, [text]]),
  texts.map((text) => ({ [text]: { value: text, name: text } })),
);

function annotations(misshapen: boolean): fc.Arbitrary<unknown> {
  const shaped = texts.map((text) => ({ "example.com/note": text }));
  const other = fc.oneof(
    misshapenValues.map((value) => ({ "example.com/note": value })),
    texts.map((text) => ({ [`${text} as a key`]: "x" })),
    texts,
  );
  return maybeMisshapen(shaped, other, misshapen);
}

function podSpecs(misshapen: boolean): fc.Arbitrary<(image: string) => object> {
  const argument = texts.map((text) => ["--verbose", `--password=${text}`]);
  const misshapenArguments = fc.oneof(texts, misshapenValues, fc.constant(NUMBER));
  return fc
    .record({
      env: variables(misshapen),
      args: maybeMisshapen(argument, misshapenArguments, misshapen),
      command: maybeMisshapen(
        texts.map((text) => ["sh", "-c", `echo ${text}`]),
        misshapenArguments,
        misshapen,
      ),
      httpHeaders: maybeMisshapen(
        texts.map((value) => [{ name: "Authorization", value }]),
        fc.oneof(texts, misshapenValues),
        misshapen,
      ),
    })
    .map(({ env, args, command, httpHeaders }) => (image: string) => {
      const startupProbe = { httpGet: { port: 80, httpHeaders } };
      const init = { name: "init", image, env, command };
      const main = { name: "main", image, env, args, command, startupProbe };
      return { restartPolicy: "Never", initContainers: [init], containers: [main] };
    });
}

function variables(misshapen: boolean): fc.Arbitrary<unknown> {
  const shaped = texts.map((value) => [
    { name: "TOKEN", value },
    { name: "OTHER", valueFrom: { secretKeyRef: { name: "tokens", key: "other" } } },
  ]);
  const items = fc.oneof<fc.Arbitrary<unknown>[]>(
    misshapenValues.map((value) => ({ name: "TOKEN", value })),
    texts.map((text) => `TOKEN=${text}`),
    texts.map((text) => ({ TOKEN: text })),
    texts.map((text) => ({ name: `TOKEN=${text}` })),
    texts.map((text) => ({ name: "TOKEN", valueFrom: { secretKeyRef: text } })),
    texts.map((text) => ({ name: "TOKEN", valueFrom: text })),
    fc.constantFrom<unknown>(NUMBER, [{ name: "TOKEN", value: TEXT }]),
  );
  const other = fc.oneof<fc.Arbitrary<unknown>[]>(
    items.map((item) => [item, { name: "PLAIN", value: "1" }]),
    texts.map((text) => ({ TOKEN: text })),
    texts,
    fc.constant(NUMBER),
  );
  return maybeMisshapen(shaped, other, misshapen);
}
