import { describe, expect, it } from "vitest";
import { advance, advanceTo, applyExternally } from "./advance.ts";
import { type Cluster, type ClusterConfig, newCluster, START_TIME } from "./cluster.ts";
import type { AnyComponent, Component } from "./component.ts";

/** A component that labels every Service ten milliseconds after its creation. */
const labeller: Component<number> = {
  name: "labeller",
  memory: 0,
  watches: ["Service"],
  observe: ({ after }, process) => {
    if (after !== undefined) process.wake(after.metadata.name ?? "", 10);
  },
  act: (name, process) => {
    process.memory += 1;
    const service = process.objects.get("Service", "ml", name);
    if (service === undefined) return;
    process.edit(service, ({ metadata }) => {
      metadata.labels = { seen: "yes" };
    });
  },
};

const world: ClusterConfig = { seed: 1, components: [labeller as Component], admission: [] };

function withService(cluster: Cluster, name: string, inWorld = world): Cluster {
  return applyExternally(inWorld, cluster, "user", (process) => {
    process.request({
      verb: "create",
      object: { kind: "Service", metadata: { name, namespace: "ml" } },
    });
  }).cluster;
}

describe("advance", () => {
  it("advance lets components act on the changes that they watch, at the requested time", () => {
    const started = withService(newCluster(world), "mesh");
    const { cluster, changes } = advance(world, started) ?? {};
    expect(cluster?.now).toBe(START_TIME + 10);
    expect(changes?.map(({ verb, actor }) => [verb, actor])).toEqual([["Modified", "labeller"]]);
    expect(cluster?.objects.get("Service", "ml", "mesh")?.metadata).toMatchObject({
      labels: { seen: "yes" },
      resourceVersion: "2",
    });
  });

  it("advance stops if a write changes nothing", () => {
    const settled = advanceTo(world, withService(newCluster(world), "mesh"), START_TIME + 60_000);
    expect([settled.revision, settled.turns.size, settled.now]).toEqual([
      2,
      0,
      START_TIME + 60_000,
    ]);
    expect(settled.memories.get("labeller")).toBe(2);
  });

  it("applyExternally queues no turn for an actor that is not a component", () => {
    const countWakes = (actor: string) =>
      applyExternally(world, newCluster(world), actor, (process) => process.wake("mesh")).cluster
        .turns.size;
    expect([countWakes("labeller"), countWakes("other")]).toEqual([1, 0]);
  });

  it("advance does not change the cluster that it started from", () => {
    const started = withService(newCluster(world), "mesh");
    const once = advanceTo(world, started, START_TIME + 20);
    expect(started.objects.get("Service", "ml", "mesh")?.metadata.labels).toBeUndefined();
    const second = advanceTo(world, started, START_TIME + 20);
    expect([...second.objects.all()]).toEqual([...once.objects.all()]);
  });

  it("a slow component gets its turns later, unlike an external actor with its name", () => {
    const slow = {
      ...world,
      components: [{ ...world.components[0], delayMs: () => 5 }],
    } as ClusterConfig;
    const started = withService(newCluster(slow), "mesh", slow);
    expect(started.turns.first?.at).toBe(START_TIME + 15);
    const { cluster } = applyExternally(slow, started, "labeller", (process) =>
      process.wake("cart", 10),
    );
    expect(cluster.turns.first).toMatchObject({ at: START_TIME + 10, key: "cart" });
  });

  it("a component gets the turn value that it requested, once for each key", () => {
    type Message = { readonly to: string; readonly words: string };
    const greeter: Component<readonly string[], Message> = {
      name: "greeter",
      memory: [],
      watches: ["Service"],
      keyOf: ({ to }) => to,
      observe: (_, process) => {
        process.wake({ to: "mesh", words: "later" }, 10);
        process.wake({ to: "mesh", words: "sooner" }, 5);
        process.wake({ to: "cart", words: "never" });
        process.forget({ to: "cart", words: "whatever" });
      },
      act: ({ to, words }, process) => {
        process.memory = [...process.memory, `${words} to ${to}`];
      },
    };
    const greeting: ClusterConfig = { ...world, components: [greeter as AnyComponent] };
    const started = withService(newCluster(greeting), "mesh", greeting);
    const { memories } = advanceTo(greeting, started, START_TIME + 60_000);
    expect(memories.get("greeter")).toEqual(["sooner to mesh"]);
  });

  it("advance throws if a component writes while the changes of another write are still being reported", () => {
    const eager: Component = {
      name: "eager",
      memory: undefined,
      watches: ["Pod"],
      observe: ({ verb }, process) => {
        const object = { kind: "Service", metadata: { name: "mesh", namespace: "ml" } };
        if (verb === "Modified") process.request({ verb: "create", object });
      },
      act: () => undefined,
    };
    const eagerWorld: ClusterConfig = { ...world, components: [eager] };
    const spec = { containers: [{ name: "c", image: "i" }] };
    const pod = { kind: "Pod", metadata: { name: "p", namespace: "ml" }, spec };
    expect(() =>
      applyExternally(eagerWorld, newCluster(eagerWorld), "user", (process) => {
        process.request({ verb: "create", object: pod });
        process.request({ verb: "delete", object: pod, gracePeriodSeconds: 0 });
      }),
    ).toThrow("a component must not send requests in observe");
  });
});
