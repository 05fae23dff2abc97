import { IN_PLACE_RESTART_ATTEMPT_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { expect, it } from "vitest";
import { Agents } from "./agents.ts";
import type { Stored } from "./cluster.ts";

/** A JobSet with in-place restart and two of its Pods, as the API server stores them. */
class StoredObjects {
  readonly #jobSet: Stored = {
    spec: { failurePolicy: { restartStrategy: "InPlaceRestart" } },
    status: {},
  };
  readonly #pods = new Map<string, Stored>();

  pod(name: string): Stored {
    const labels = { [JOBSET_NAME_KEY]: "train" };
    const pod = { metadata: { namespace: "ml", name, uid: name, labels, annotations: {} } };
    this.#pods.set(name, pod);
    return pod;
  }

  async get(kind: string, _namespace: string, name: string): Promise<Stored> {
    return structuredClone(kind === "Pod" ? this.#pods.get(name) : this.#jobSet);
  }

  async patch({ metadata: { name } }: Stored, { metadata }: Stored): Promise<Stored> {
    Object.assign(this.#pods.get(name).metadata.annotations, metadata.annotations);
  }

  /** The controller has counted the announced attempts. */
  counts(status: Stored): void {
    this.#jobSet.status = status;
  }

  get announced(): readonly string[] {
    return [...this.#pods.values()].map(
      ({ metadata }) => metadata.annotations[IN_PLACE_RESTART_ATTEMPT_KEY],
    );
  }
}

it("an agent uses the attempt that its Pod announces, even if it sees the JobSet's status late", async () => {
  const cluster = new StoredObjects();
  const agents = new Agents(cluster);
  const [first, second] = [cluster.pod("first"), cluster.pod("second")];
  for (const pod of [first, second]) await agents.observe(structuredClone(pod));
  cluster.counts({ currentInPlaceRestartAttempt: 0 });
  // The kubelet's watch of Pods is late: these copies announce attempt 0.
  const [firstBefore, secondBefore] = structuredClone([first, second]);
  const annotations = { [IN_PLACE_RESTART_ATTEMPT_KEY]: "1" };
  await cluster.patch(first, { metadata: { annotations } });
  cluster.counts({ previousInPlaceRestartAttempt: 0, currentInPlaceRestartAttempt: 0 });
  // The second agent exits, starts again and announces attempt 1. Meanwhile the first one gets no response.
  await agents.observe(firstBefore);
  for (let look = 0; look < 2; look += 1) await agents.observe(secondBefore);
  expect(cluster.announced).toEqual(["1", "1"]);
  cluster.counts({ previousInPlaceRestartAttempt: 0, currentInPlaceRestartAttempt: 1 });
  for (let look = 0; look < 2; look += 1) {
    for (const pod of [firstBefore, secondBefore]) await agents.observe(pod);
  }
  expect(cluster.announced).toEqual(["1", "1"]);
});
