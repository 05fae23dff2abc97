import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { customResourceDefinition } from "@jobset-ts/crd";
import { describe, expect, it } from "vitest";
import { detectRelease } from "./detect-release.ts";
import { releases } from "./releases.ts";

function aDeployment(image: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    kind: "Deployment",
    metadata: { namespace: "jobset-system", name: "jobset-controller-manager", labels },
    spec: { template: { spec: { containers: [{ name: "manager", image }] } } },
  };
}

const helm = (version: string) => ({
  "helm.sh/chart": `jobset-${version}`,
  "app.kubernetes.io/version": version,
});

const registry = "registry.k8s.io/jobset/jobset";

/** The recorded CRD of a release. */
function recordedCrd(name: string) {
  const file = new URL(`testdata/${name}.crd.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
}

function detectFrom(
  ...objects: Parameters<typeof detectRelease>[0] extends Iterable<infer T> ? T[] : never
) {
  const result = detectRelease(objects);
  if (result.outcome !== "Release") return result.outcome;
  const { release, isExact, evidence } = result;
  return [release.name, isExact, evidence.source];
}

describe("detectRelease", () => {
  it.each([
    [`${registry}:v0.10.1`, ["v0.10.1", true, "Image"]],
    [`${registry}:v0.10.1@sha256:0123`, ["v0.10.1", true, "Image"]],
    ["localhost:5000/mirror/jobset:0.9.1", ["v0.9.1", true, "Image"]],
    [`${registry}:v0.11.0`, ["v0.11.1", false, "Image"]],
    ["us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset:main", "Main"],
    [`${registry}:v0.13.0`, "Unsupported"],
    [`${registry}:v0.7.3`, "Unsupported"],
    [`${registry}@sha256:0123`, "NotFound"],
    ["localhost:5000/jobset", "NotFound"],
    ["registry.k8s.io/kueue/kueue:v0.10.1", "NotFound"],
  ])("detectRelease reads the version of the image %s", (image, expected) => {
    expect(detectFrom(aDeployment(image))).toEqual(expected);
  });

  it("detectRelease reads the Helm labels if the image has no tag", () => {
    const deployment = aDeployment(`${registry}@sha256:0123`, helm("0.9.1"));
    expect(detectFrom(deployment)).toEqual(["v0.9.1", true, "Label"]);
    expect(detectRelease([deployment])).toMatchObject({
      evidence: {
        kind: "Deployment",
        namespace: "jobset-system",
        name: "jobset-controller-manager",
        value: "app.kubernetes.io/version=0.9.1",
      },
    });
  });

  it("detectRelease ignores the version label of other charts", () => {
    const labels = { ...helm("0.9.1"), "helm.sh/chart": "kueue-0.9.1" };
    expect(detectFrom(aDeployment("example/app:v1", labels))).toBe("NotFound");
  });

  it("detectRelease reads the image of the controller's Pod, but not of other Pods", () => {
    const pod = (image: string) => ({ kind: "Pod", spec: { containers: [{ image }] } });
    expect(detectFrom(pod(`${registry}:v0.8.2`))).toEqual(["v0.8.2", true, "Image"]);
    expect(detectFrom(pod("example/jobset:v0.8.2"))).toBe("NotFound");
  });

  it.each(releases)("detectRelease recognizes the CRD of $name by its fields", ({ name }) => {
    expect(detectFrom(recordedCrd(name))).toEqual([name, false, "Schema"]);
  });

  it("detectRelease recognizes main by the CRD", () => {
    expect(detectFrom(customResourceDefinition())).toBe("Main");
  });

  it("detectRelease returns the first of several Deployments by namespace and name", () => {
    const createDeployment = (namespace: string, version: string) => {
      const deployment = aDeployment(`${registry}:${version}`);
      return { ...deployment, metadata: { ...deployment.metadata, namespace } };
    };
    const objects = [
      createDeployment("b", "v0.12.0"),
      createDeployment("a", "v0.9.1"),
      createDeployment("c", "v0.8.2"),
    ];
    expect(detectFrom(...objects)).toEqual(["v0.9.1", true, "Image"]);
    expect(detectFrom(...objects.toReversed())).toEqual(["v0.9.1", true, "Image"]);
  });

  it("detectRelease prefers the Deployment to the CRD, in any order", () => {
    const objects = [recordedCrd("v0.12.0"), aDeployment(`${registry}:v0.11.1`)];
    expect(detectFrom(...objects)).toEqual(["v0.11.1", true, "Image"]);
    expect(detectFrom(...objects.toReversed())).toEqual(["v0.11.1", true, "Image"]);
  });
});
