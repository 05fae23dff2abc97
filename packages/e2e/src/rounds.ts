import { setTimeout } from "node:timers/promises";
import type { ControllerProcess } from "./controller-process.ts";
import type { TestBed } from "./test-bed.ts";

/** A disturbance of the programs while the stories run. */
export interface Round {
  readonly name: string;
  /** Whether there is no disturbance. Then stories run without gates unless they need one, and Events are compared. */
  readonly isUndisturbed?: true;
  /** Starts controllers and webhooks, and disturbs them. Resolves when the stories may start. */
  start(bed: TestBed, gates: readonly string[]): Promise<Disturbance>;
}

/** A running disturbance. */
export interface Disturbance {
  /** Resolves when the disturbance has ended and everything runs. */
  readonly over: Promise<void>;
  /** Switches gates of the controller, if all stories share one. */
  switchGates?(gates: Readonly<Record<string, boolean>>): Promise<void>;
  stop(): Promise<void>;
}

export const UNDISTURBED = "undisturbed";

const undisturbed: Round = {
  name: UNDISTURBED,
  isUndisturbed: true,
  async start(bed, gates) {
    const controller = bed.start("everything");
    await controller.ready();
    // Gates are switched while the controller runs.
    if (gates.length > 0)
      await controller.switchGates(Object.fromEntries(gates.map((gate) => [gate, true])));
    return {
      over: Promise.resolve(),
      switchGates: (switched) => controller.switchGates(switched),
      stop: () => controller.stop(),
    };
  },
};

/** Stories without disturbance that write the statuses of Jobs themselves. */
export const byHand: Round = { ...undisturbed, name: "by hand" };

/** Every kind of disturbance. The first one disturbs nothing and determines the expected outcomes. */
export const rounds: readonly Round[] = [
  undisturbed,
  {
    name: "the controller is killed repeatedly",
    async start(bed, gates) {
      const webhooks = bed.start("webhooks", { gates });
      await webhooks.ready();
      let controller = bed.start("controllers", { gates });
      const random = pseudoRandom(1);
      const over = (async () => {
        for (let kills = 0; kills < 8; kills += 1) {
          await controller.ready();
          await setTimeout(random() * 1_500);
          await controller.kill();
          controller = bed.start("controllers", { gates });
        }
      })();
      return { over, stop: () => stopAll([controller, webhooks]) };
    },
  },
  {
    name: "the API server is killed and restarted",
    async start(bed, gates) {
      const controller = bed.start("everything", { gates });
      await controller.ready();
      const over = (async () => {
        for (const pauseMs of [2_000, 8_000]) {
          await setTimeout(pauseMs);
          await bed.plane.restartApiServer(1_000);
        }
      })();
      return { over, stop: () => controller.stop() };
    },
  },
  {
    name: "the webhooks are temporarily unavailable",
    async start(bed, gates) {
      const controller = bed.start("controllers", { gates });
      let webhooks = bed.start("webhooks", { gates });
      await webhooks.ready();
      const over = (async () => {
        for (const pauseMs of [1_000, 2_000]) {
          await setTimeout(pauseMs);
          await webhooks.kill();
          await setTimeout(500);
          webhooks = bed.start("webhooks", { gates });
          await webhooks.ready();
        }
      })();
      return { over, stop: () => stopAll([controller, webhooks]) };
    },
  },
  {
    name: "the webhooks are a proxy without a cache",
    async start(bed, gates) {
      const proxy = bed.startProxy({ gates });
      await proxy.ready();
      const controller = bed.start("controllers", { gates });
      return { over: Promise.resolve(), stop: () => stopAll([controller, proxy]) };
    },
  },
  {
    name: "two controllers compete for the Lease",
    async start(bed, gates) {
      const webhooks = bed.start("webhooks", { gates });
      await webhooks.ready();
      const candidate = (name: string) =>
        bed.start("controllers", {
          gates,
          args: [
            ...["--leader-elect", "--leader-elect-namespace", "jobset-system"],
            ...["--leader-elect-identity", name],
          ],
        });
      let first = candidate("first");
      await first.ready();
      const second = candidate("second");
      const over = (async () => {
        await setTimeout(2_500);
        await first.kill();
        first = candidate("first");
      })();
      return { over, stop: () => stopAll([first, second, webhooks]) };
    },
  },
];

async function stopAll(programs: readonly ControllerProcess[]): Promise<void> {
  await Promise.all(programs.map((program) => program.stop()));
}

/** Returns a deterministic pseudo-random generator of numbers from 0 to 1 (mulberry32). */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
