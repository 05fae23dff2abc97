import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { coordinatorEndpoint } from "./coordinator.ts";

describe("coordinatorEndpoint", () => {
  const withCoordinator = (coordinator: unknown) =>
    aJobSet("train").withSpec({ coordinator: coordinator as never });

  it("coordinatorEndpoint is the DNS name of one Pod", () => {
    const jobSet = withCoordinator({ replicatedJob: "driver", jobIndex: 2, podIndex: 1 });
    expect(coordinatorEndpoint(jobSet)).toBe("train-driver-2-1.train");
  });

  it("coordinatorEndpoint is the first Pod of the first Job when no indexes are given", () => {
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

  it("coordinatorEndpoint is none for a JobSet without a coordinator", () => {
    expect(coordinatorEndpoint(aJobSet("train"))).toBeUndefined();
    expect(coordinatorEndpoint({})).toBeUndefined();
  });

  it.each([[null], [[]], ["driver"], [5]])(
    "coordinatorEndpoint is none when the coordinator is %j",
    (coordinator) => {
      expect(coordinatorEndpoint(withCoordinator(coordinator))).toBeUndefined();
    },
  );

  it("coordinatorEndpoint reads indexes that are not whole numbers as absent", () => {
    const jobSet = withCoordinator({ replicatedJob: "driver", jobIndex: "1", podIndex: 1.5 });
    expect(coordinatorEndpoint(jobSet)).toBe("train-driver-0-0.train");
  });
});
