import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { findUnknownFields } from "@jobset-ts/api/typed";
import { admitBySchema, formatSchemaError } from "@jobset-ts/crd";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "../../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../../testing.ts";
import { jobSetJsonSchema } from "./json-schema.ts";

const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
});
// Other tests cover the times that the API server accepts.
ajv.addFormat("date-time", true);
const validate = ajv.compile(jobSetJsonSchema());

/** Returns the positions and messages that an editor shows for a value. */
function listErrors(value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
    const name = params.additionalProperty ?? params.missingProperty ?? "";
    return `${instancePath} ${keyword} ${name}`.trim();
  });
}

const apiVersion = "jobset.x-k8s.io/v1alpha2";

const examples = new URL("../../../../../examples/", import.meta.url);
const shipped = ["jobsets", "leader-worker", "exploration"].flatMap((folder) =>
  readdirSync(new URL(folder, examples))
    .filter((name) => name.endsWith(".yaml") && name !== "rendered.yaml")
    .map((name) => `${folder}/${name}`),
);

describe("the JSON Schema of a JobSet", () => {
  it("jobset schema prints the JSON Schema", async () => {
    const { exitCode, out, error } = await runCommand(["schema"]);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(JSON.parse(out)).toEqual(jobSetJsonSchema());
    expect(out.length).toBeLessThan(150_000);
  });

  it.each(shipped)("the JSON Schema accepts %s", (file) => {
    const [document] = readYamlDocuments(readFileSync(new URL(file, examples), "utf8"));
    expect(listErrors(document?.value)).toEqual([]);
  });

  const good = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
  it.each([
    ["apiVersion: jobset.x-k8s.io/v1alpha2", "apiVersion: jobset.x-k8s.io/v1", "/apiVersion const"],
    ["kind: JobSet", "kind: Jobset", "/kind const"],
    ["name: train", "nme: train", "/metadata additionalProperties nme"],
    ["replicas:", "replica:", "/spec/replicatedJobs/0 additionalProperties replica"],
    ["replicas: 1", 'replicas: "1"', "/spec/replicatedJobs/0/replicas type"],
    ["replicas: 1", "replicas: -1", "/spec/replicatedJobs/0/replicas minimum"],
    [
      "parallelism: 2",
      "parallelism: 3000000000",
      "/spec/replicatedJobs/0/template/spec/parallelism maximum",
    ],
    ["- name: w\n", "- \n", "/spec/replicatedJobs/0 required name"],
    [
      "image: example",
      "imagge: example",
      "/spec/replicatedJobs/0/template/spec/template/spec/containers/0 additionalProperties imagge",
    ],
    [
      "image: example.com/w:1",
      "resources: {limits: {cpu: 0.5}}",
      "/spec/replicatedJobs/0/template/spec/template/spec/containers/0/resources/limits/cpu type",
    ],
    ["spec:\n", "spec:\n  successPolicy: {operator: Some}\n", "/spec/successPolicy/operator enum"],
    ["spec:\n", "spec:\n  restartPolicy: Never\n", "/spec additionalProperties restartPolicy"],
    [
      "spec:\n",
      "spec:\n  failurePolicy: {rules: [{name: r, action: Restart}]}\n",
      "/spec/failurePolicy/rules/0/action enum",
    ],
    [
      "  replicas: 1",
      "  replicas: 1\n    dependsOn: [{name: v, status: Completed}]",
      "/spec/replicatedJobs/0/dependsOn/0/status enum",
    ],
  ])("the JSON Schema rejects %j written as %j", (right, wrong, error) => {
    expect(listErrors(readYamlDocuments(good)[0]?.value)).toEqual([]);
    const typo = good.replace(right, wrong);
    expect(typo).not.toBe(good);
    expect(listErrors(readYamlDocuments(typo)[0]?.value)).toContain(error);
  });

  it("the JSON Schema requires the members without which admit denies a JobSet, and no others", async () => {
    const whole = readYamlDocuments(good)[0]?.value as Readonly<Record<string, unknown>>;
    for (const member of Object.keys(whole)) {
      const { [member]: _, ...rest } = whole;
      const files = { "rest.json": JSON.stringify(rest) };
      const { exitCode } = await runCommand(["admit", "-f", "rest.json"], { files });
      expect([member, listErrors(rest).length > 0]).toEqual([member, exitCode !== 0]);
    }
  });

  it("the JSON Schema contains descriptions and defaults", () => {
    const { definitions } = jobSetJsonSchema() as {
      definitions: Record<string, { properties: Record<string, object> }>;
    };
    expect(definitions.FailurePolicy?.properties.restartStrategy).toEqual({
      description: expect.stringContaining(
        "`BlockingRecreate`: no Job is recreated before all predecessors are gone.",
      ),
      type: "string",
      enum: ["Recreate", "BlockingRecreate", "InPlaceRestart"],
      default: "Recreate",
    });
  });
});

/** Rules that JSON Schema cannot express, and lists whose elements are identified by keys. */
const inexpressibleRules =
  /Duplicate value: \{|mutually exclusive|namespace cannot be set|validation rules were not checked/;

describe("the JSON Schema and recorded responses of a real API server", () => {
  const recorded = new URL("../../../../conformance/vectors/crd.admit.jsonl.gz", import.meta.url);
  const lines = gunzipSync(readFileSync(recorded)).toString().trim().split("\n");
  const specs = lines
    .map(
      (line) => (JSON.parse(line) as { input: { object: { spec: object }; old?: object } }).input,
    )
    .filter(({ old }) => old === undefined)
    .map(({ object }) => object.spec);

  it("the JSON Schema rejects exactly the JobSets that violate an expressible rule", () => {
    let [validCount, invalidCount] = [0, 0];
    for (const spec of specs) {
      const object = { apiVersion, kind: "JobSet", metadata: { name: "train" }, spec };
      const { errors } = admitBySchema(object);
      const sayable = errors
        .map(formatSchemaError)
        .filter((text) => !inexpressibleRules.test(text));
      const isGood =
        sayable.length === 0 &&
        findUnknownFields(object as never, "JobSet").length === 0 &&
        // A server drops null, and the schema rejects it.
        !/:null[,}]/.test(JSON.stringify(spec));
      expect(listErrors(object).length === 0, JSON.stringify({ sayable, spec })).toBe(isGood);
      if (isGood) validCount += 1;
      else invalidCount += 1;
    }
    // The recorded cases must contain enough of both kinds.
    expect(Math.min(validCount, invalidCount)).toBeGreaterThan(300);
  });
});
