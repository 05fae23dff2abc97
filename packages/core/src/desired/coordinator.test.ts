import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { coordinatorEndpoint } from "./coordinator.ts";

describe("coordinatorEndpoint", () => {
  const withCoordinator = (coordinator: unknown) =>
    aJobSet("train").withSpec({ coordinator: coordinator as never });

  it("coordinatorEndpoint returns the DNS name of one Pod", () => {
    const jobSet = withCoordinator({ replicatedJob: "driver", jobIndex: 2, podIndex: 1 });
    expect(coordinatorEndpoint(jobSet)).toBe("train-driver-2-1.train");
  });

  it("coordinatorEndpoint returns the first Pod of the first Job by default", () => {
    expect(coordinatorEndpoint(withCoordinator({ replicatedJob: "driver" }))).toBe(
      "train-driver-0-0.train",
    );
  });

  it("coordinatorEndpoint uses the network's subdomain even if DNS hostnames are disabled", () => {
    const jobSet = withCoordinator({ replicatedJob: "driver" }).withSpec({
      network: { enableDNSHostnames: false, subdomain: "net" },
    });
    expect(coordinatorEndpoint(jobSet)).toBe("train-driver-0-0.net");
  });

  it("coordinatorEndpoint returns undefined for a JobSet without a coordinator", () => {
    expect(coordinatorEndpoint(aJobSet("train"))).toBeUndefined();
    expect(coordinatorEndpoint({})).toBeUndefined();
  });

  it.each([[null], [[]], ["driver"], [5]])(
    "coordinatorEndpoint returns undefined if the coordinator is %j",
    (coordinator) => {
      expect(coordinatorEndpoint(withCoordinator(coordinator))).toBeUndefined();
    },
  );

  it("coordinatorEndpoint treats indexes that are not integers as absent", () => {
    const jobSet = withCoordinator({ replicatedJob: "driver", jobIndex: "1", podIndex: 1.5 });
    expect(coordinatorEndpoint(jobSet)).toBe("train-driver-0-0.train");
  });
});
