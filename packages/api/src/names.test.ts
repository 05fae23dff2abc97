import { describe, expect, it } from "vitest";
import {
  failurePolicyRuleName,
  fqdn,
  getSubdomain,
  jobName,
  namespacedJobValue,
  podDnsName,
  podHostname,
  volumeClaimName,
} from "./names.ts";

describe("the names of a JobSet's objects", () => {
  it("the names of a JobSet's objects consist of the names of the JobSet and its parts", () => {
    expect(jobName("train", "workers", 3)).toBe("train-workers-3");
    expect(podHostname(jobName("train", "workers", 3), 0)).toBe("train-workers-3-0");
    expect(volumeClaimName("data", "train")).toBe("data-train");
    expect(namespacedJobValue("ml", "train-workers-3")).toBe("ml_train-workers-3");
    expect(failurePolicyRuleName(2)).toBe("failurePolicyRule2");
  });

  it("the names of a JobSet's objects are not truncated", () => {
    const long = "a".repeat(300);
    expect(podHostname(jobName(long, "w", 10), 11)).toBe(`${long}-w-10-11`);
  });

  it("DNS names resolve within the namespace and in the whole cluster", () => {
    expect(podDnsName("train-workers-3-0", "train")).toBe("train-workers-3-0.train");
    expect(fqdn("train-workers-3-0.train", { namespace: "ml" })).toBe(
      "train-workers-3-0.train.ml.svc.cluster.local",
    );
    const inAnotherDomain = { namespace: "ml", clusterDomain: "example.org" };
    expect(fqdn("train", inAnotherDomain)).toBe("train.ml.svc.example.org");
  });
});

describe("getSubdomain", () => {
  const metadata = { name: "train" };

  it("getSubdomain returns the subdomain of the network", () => {
    expect(getSubdomain({ metadata, spec: { network: { subdomain: "net" } } })).toBe("net");
  });

  it("getSubdomain returns the JobSet's name if the subdomain is absent or empty", () => {
    expect(getSubdomain({ metadata })).toBe("train");
    expect(getSubdomain({ metadata, spec: { network: {} } })).toBe("train");
    expect(getSubdomain({ metadata, spec: { network: { subdomain: "" } } })).toBe("train");
  });

  it("getSubdomain does not depend on whether DNS hostnames are enabled", () => {
    const network = { enableDNSHostnames: false, subdomain: "net" };
    expect(getSubdomain({ metadata, spec: { network } })).toBe("net");
  });

  it("getSubdomain treats a name that is not a string as absent", () => {
    const spec = { network: { subdomain: 5 as never } };
    expect(getSubdomain({ metadata, spec })).toBe("train");
    expect(getSubdomain({ metadata: { name: 5 as never }, spec })).toBe("");
  });
});
