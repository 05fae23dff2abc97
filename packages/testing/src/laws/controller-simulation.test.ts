import { readFile } from "node:fs/promises";
import { setTimeout as startTimer } from "node:timers/promises";
import { reconcile } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControllerSubject, createPlanController, listAllObjects } from "./controller.ts";
import { createHistoryLaws, everyHistoryLaw, historyLaws } from "./history-laws.ts";

const production = createPlanController(reconcile);

describe("the simulation of a history", () => {
  it("the simulated server rejects unreadable requests with a reason", async () => {
    const messages = new Set<string>();
    for (const part of [
      { metadata: null },
      { spec: null },
      { spec: [] },
      { metadata: { ownerReferences: "none" } },
      { metadata: { ownerReferences: [{ kind: "JobSet", name: "train" }] } },
      { metadata: { ownerReferences: [null] } },
    ]) {
      const odd: ControllerSubject = (client, pass) =>
        production(
          {
            ...client,
            send: async (request) => {
              if (request.verb !== "create" || request.object.kind !== "Job")
                return client.send(request);
              const outcome = await client.send({
                ...request,
                object: { ...request.object, ...part } as typeof request.object,
              });
              if (!outcome.ok) messages.add(outcome.message);
              return outcome;
            },
          },
          pass,
        );
      // The history of this seed is short.
      await fc.check(everyHistoryLaw(odd), { seed: 8, numRuns: 1, endOnFailure: true });
    }
    const cannotBeRead = "the object of the request cannot be read: ";
    expect(messages).toEqual(
      new Set([
        `${cannotBeRead}metadata: an object is expected`,
        `${cannotBeRead}spec: an object is expected`,
        `${cannotBeRead}metadata.ownerReferences: a list is expected`,
        `${cannotBeRead}metadata.ownerReferences[0].uid: a text is expected`,
        `${cannotBeRead}metadata.ownerReferences[0]: an element is null`,
      ]),
    );
  });

  it("history laws report a pass that never ends, with its JobSet", async () => {
    const hangingController: ControllerSubject = () => new Promise(() => undefined);
    const laws = createHistoryLaws(0.1);
    for (const name of [
      "terminalStateIsFinal",
      "ttlIsRespected",
      "singleFaultsDoNotChangeTheOutcome",
    ]) {
      const { counterexample } = await fc.check(laws.get(name)?.(hangingController) as never, {
        numRuns: 1,
        endOnFailure: true,
      });
      const words = fc.stringify(counterexample);
      expect(words).toContain("a pass over JobSet train hangs: for 0.1 s it");
      expect(words).toMatch(/The JobSet:\n {2}apiVersion:/);
    }
  });

  it.each<readonly [string, ControllerSubject]>([
    [
      "reads",
      async (client) => {
        for (;;) await client.list("Job");
      },
    ],
    [
      "reads while it waits for an answer",
      async (client, { namespace, name }) => {
        const metadata = { namespace, name, annotations: { "acme.com/mark": "there" } };
        void client.patch({ kind: "JobSet", metadata });
        for (;;) await client.list("Job");
      },
    ],
  ])("history laws report a controller that %s forever", async (_what, endless) => {
    const law = historyLaws.get("terminalStateIsFinal")?.(endless) as never;
    const { counterexample } = await fc.check(law, { numRuns: 1, seed: 1, endOnFailure: true });
    const words = fc.stringify(counterexample);
    expect(words).toContain("hangs: it has sent 5000 requests");
    expect(words).toMatch(/The JobSet:\n {2}apiVersion:/);
  });

  // The tested controller awaits these promises. The test itself waits only for the property.
  it.each<readonly [string, () => Promise<unknown>]>([
    ["its own timer", () => startTimer(0)],
    ["setImmediate", () => new Promise((resolve) => setImmediate(resolve))],
    ["a digest", () => crypto.subtle.digest("SHA-1", new Uint8Array(8))],
    ["a file", () => readFile(new URL(import.meta.url))],
    ["thousands of microtasks", () => manyMicrotasks(5_000)],
  ])(
    "a pass in a history may await %s before a request and between two requests",
    async (_what, something) => {
      const delayedController: ControllerSubject = async (client, pass) => {
        await something();
        const send: typeof client.send = async (request) => {
          await something();
          return client.send(request);
        };
        await production({ ...client, send }, pass);
      };
      await fc.assert(everyHistoryLaw(delayedController), { seed: 1, numRuns: 2 });
    },
  );

  it("a history needs no turn of the event loop if the controller needs none", async () => {
    let turns = 0;
    let goesOn = true;
    const count = () => {
      turns += 1;
      if (goesOn) setImmediate(count);
    };
    setImmediate(count);
    await fc.assert(everyHistoryLaw(production), { seed: 1, numRuns: 3 });
    goesOn = false;
    expect(turns).toBe(0);
  });

  it("a controller may change the objects that its client returns", async () => {
    const thrown: unknown[] = [];
    const objectChangingController: ControllerSubject = async (client, pass) => {
      try {
        // biome-ignore lint/suspicious/noExplicitAny: the test changes a readonly object
        for (const object of (await listAllObjects(client)) as any[]) object.metadata.labels = {};
        // biome-ignore lint/suspicious/noExplicitAny: the test changes a readonly object
        const jobSet: any = await client.get("JobSet", pass.namespace, pass.name);
        jobSet.status = { restarts: 7 };
        jobSet.spec.replicatedJobs.length = 0;
      } catch (error) {
        thrown.push(error);
      }
      await production(client, pass);
    };
    await fc.assert(everyHistoryLaw(objectChangingController), { seed: 1, numRuns: 5 });
    expect(thrown.filter((error) => !`${error}`.includes("NotFound"))).toEqual([]);
  });

  it.each([true, false])(
    "a history calls a controller again if the controller requests it: %s",
    async (asks) => {
      let passes = 0;
      const lazy: ControllerSubject = (client, pass) => {
        passes += 1;
        if (passes % 2 === 0) return production(client, pass);
        return asks ? { requeueAfterSeconds: 0.5 } : {};
      };
      const { failed } = await fc.check(everyHistoryLaw(lazy), {
        seed: 1,
        numRuns: 5,
        endOnFailure: true,
      });
      expect(failed).toBe(!asks);
    },
  );

  it("a controller in a history sees the state of its caches", async () => {
    const seen: string[] = [];
    const readsOnly: ControllerSubject = async (client) => {
      for (const { kind } of await listAllObjects(client)) seen.push(kind);
    };
    await fc.assert(historyLaws.get("terminalStateIsFinal")?.(readsOnly) as never, { numRuns: 1 });
    expect(seen).toContain("JobSet");
  });
});

async function manyMicrotasks(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await undefined;
}
