import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { desiredService, hasDnsHostnames } from "./desired-service.ts";

const train = aJobSet("train").inNamespace("ml").withUid("u-1");

describe("desiredService", () => {
  it("desiredService returns the Service of the worked example", () => {
    expect(desiredService(train)).toStrictEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: "train",
        namespace: "ml",
        ownerReferences: [
          {
            apiVersion: "jobset.x-k8s.io/v1alpha2",
            kind: "JobSet",
            name: "train",
            uid: "u-1",
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        clusterIP: "None",
        selector: { "jobset.sigs.k8s.io/jobset-name": "train" },
        publishNotReadyAddresses: true,
      },
    });
  });

  it("desiredService has the network's subdomain as its name", () => {
    const network = { enableDNSHostnames: true, subdomain: "net" };
    const service = desiredService(train.withSpec({ network }));
    expect(service?.metadata.name).toBe("net");
    expect(service?.spec.selector).toEqual({ "jobset.sigs.k8s.io/jobset-name": "train" });
  });

  it.each([
    [undefined, true],
    [true, true],
    [null, true],
    [false, undefined],
  ])(
    "desiredService for publishNotReadyAddresses %s has %s",
    (publishNotReadyAddresses, expected) => {
      const network = { enableDNSHostnames: true, publishNotReadyAddresses } as never;
      const spec = desiredService(train.withSpec({ network }))?.spec ?? {};
      expect(spec.publishNotReadyAddresses).toBe(expected);
      expect(Object.hasOwn(spec, "publishNotReadyAddresses")).toBe(expected !== undefined);
    },
  );

  it.each([[undefined], [null], [{}], [{ enableDNSHostnames: false, subdomain: "net" }], ["on"]])(
    "desiredService is undefined if the network is %j",
    (network) => {
      const jobSet = train.withSpec({ network: network as never });
      expect(hasDnsHostnames(jobSet)).toBe(false);
      expect(desiredService(jobSet)).toBeUndefined();
    },
  );
});
