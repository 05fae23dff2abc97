import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Body, BodyBudget } from "./body-budget.ts";
import { Deadline } from "./deadline.ts";
import { OpenSignal } from "./testing/open-signal.ts";

const open = new Deadline(new OpenSignal());

/** Whether a body may be read further now. */
async function mayContinue(room: BodyBudget, body: Body): Promise<boolean> {
  const signal = new OpenSignal();
  const turn = room.waitForTurn(body, new Deadline(signal));
  signal.abort();
  return turn;
}

describe("a budget of 8 bytes with at most 2 bytes for each body", () => {
  function enterBodies(): { readonly room: BodyBudget; readonly bodies: readonly Body[] } {
    const room = new BodyBudget(8, 2);
    return { room, bodies: Array.from({ length: 6 }, () => room.enter()) };
  }
  const at = (bodies: readonly Body[], index: number) => bodies[index] as Body;

  it("a budget admits all bodies until half of it is used, and then the oldest", async () => {
    const { room, bodies } = enterBodies();
    for (const body of bodies.slice(2, 5)) {
      room.add(body, 1);
      for (const other of bodies) expect(await mayContinue(room, other)).toBe(true);
    }
    room.add(at(bodies, 5), 1);
    expect(await Promise.all(bodies.map((body) => mayContinue(room, body)))).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ]);
    expect(bodies.map(({ hasWaited }) => hasWaited)).toEqual([
      ...[false, false],
      ...[true, true, true, true],
    ]);
  });

  it("a budget resumes the next body when one is complete or aborted", async () => {
    const { room, bodies } = enterBodies();
    for (const body of bodies.slice(0, 4)) room.add(body, 1);
    const third = room.waitForTurn(at(bodies, 2), open);
    room.markComplete(at(bodies, 0));
    expect(await third).toBe(true);
    const fourth = room.waitForTurn(at(bodies, 3), open);
    room.removeBody(at(bodies, 1));
    expect(await fourth).toBe(true);
    const fifth = room.waitForTurn(at(bodies, 4), open);
    expect(await fifth).toBe(true);
  });

  it("a budget waits only for complete bodies when all of it is used", async () => {
    const { room, bodies } = enterBodies();
    for (const body of bodies.slice(1, 5)) room.add(body, 2);
    room.markComplete(at(bodies, 1));
    expect(await mayContinue(room, at(bodies, 0))).toBe(false);
    const turn = room.waitForTurn(at(bodies, 0), open);
    room.removeBody(at(bodies, 1));
    expect(await turn).toBe(true);
    room.add(at(bodies, 0), 2);
    expect(await mayContinue(room, at(bodies, 0))).toBe(true);
  });

  it("a budget resumes all bodies when half of it is free, even if the oldest send nothing", async () => {
    const { room, bodies } = enterBodies();
    for (const body of bodies.slice(2)) room.add(body, 1);
    const turns = bodies.slice(2, 5).map((body) => room.waitForTurn(body, open));
    room.removeBody(at(bodies, 5));
    expect(await Promise.all(turns)).toEqual([true, true, true]);
  });

  it("bodies that send nothing do not block a budget", async () => {
    const { room, bodies } = enterBodies();
    for (const body of bodies) expect(await mayContinue(room, body)).toBe(true);
    expect(await mayContinue(room, room.enter())).toBe(true);
  });
});

it("a budget never exceeds its size, and completes every body", async () => {
  const bodies = fc.array(
    fc.record({ size: fc.nat(20), isBroken: fc.boolean(), reviewTurns: fc.nat(3) }),
    { maxLength: 30 },
  );
  const property = fc.asyncProperty(
    fc.integer({ min: 21, max: 60 }),
    bodies,
    fc.scheduler(),
    async (capacity, sent, scheduler) => {
      const room = new BodyBudget(capacity, 20);
      let openBytes = 0;
      let most = 0;
      const one = async ({ size, isBroken, reviewTurns }: (typeof sent)[number]) => {
        const body = room.enter();
        while (body.bytes < size) {
          expect(await room.waitForTurn(body, open)).toBe(true);
          await scheduler.schedule(Promise.resolve());
          room.add(body, 1);
          openBytes += 1;
          most = Math.max(most, openBytes);
        }
        if (!isBroken) room.markComplete(body);
        for (let turn = 0; turn < reviewTurns; turn++) {
          await scheduler.schedule(Promise.resolve());
        }
        openBytes -= size;
        room.removeBody(body);
      };
      await scheduler.waitFor(Promise.all(sent.map(one)));
      // One byte of each body may have been requested before.
      expect(most).toBeLessThanOrEqual(capacity + sent.length);
      // The body is empty.
      room.add(room.enter(), Math.ceil(Math.min(capacity / 2, capacity - 20)) - 1);
      for (const body of [room.enter(), room.enter()]) {
        expect(await mayContinue(room, body)).toBe(true);
      }
    },
  );
  await fc.assert(property);
});
