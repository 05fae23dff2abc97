import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createPod,
  listJobs,
  tenantOn,
  theJobSet,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { indexCluster } from "./cluster-facts.ts";

const [job] = listJobs(theJobSet());

function listMessages(object: Wire, events: readonly Wire[]) {
  return indexCluster(createSnapshot(events))
    .eventsAbout(object, object.kind)
    .map(({ message }) => message);
}

describe("the Events about an object", () => {
  it("eventsAbout finds Events by UID, so that a recreated object has none of its predecessor", () => {
    const again = { ...job, metadata: { ...job.metadata, uid: "uid-again" } };
    const events = [
      anEvent(job, "FailedCreate", "before"),
      anEvent(again, "FailedCreate", "after"),
    ];
    expect(listMessages(again, events)).toEqual(["after"]);
  });

  it("eventsAbout finds Events by name if they have no UID", () => {
    const event = anEvent(job, "FailedCreate", "by name");
    const involvedObject = { ...event.involvedObject, uid: undefined };
    expect(listMessages(job, [{ ...event, involvedObject }])).toEqual(["by name"]);
  });

  it("are read as the newer API group serves them, too", () => {
    const { involvedObject, message, lastTimestamp, ...event } = anEvent(
      job,
      "FailedCreate",
      "new",
    );
    const series = { count: 2, lastObservedTime: "2026-02-07T09:59:00Z" };
    const newer = {
      ...event,
      apiVersion: "events.k8s.io/v1",
      regarding: involvedObject,
      note: message,
      series,
    };
    const facts = indexCluster(createSnapshot([newer]));
    expect(facts.wasRead("Event")).toBe(true);
    expect(facts.eventsAbout(job, "Job")).toMatchObject([
      { message: "new", seenAt: Date.parse(series.lastObservedTime) },
    ]);
  });

  it("eventsAbout strips the prefix of Events that stand for several", () => {
    const message = "(combined from similar events): Error creating: no";
    expect(listMessages(job, [anEvent(job, "FailedCreate", message)])).toEqual([
      "Error creating: no",
    ]);
  });
});

describe("the domains of a cluster", () => {
  const leader = createPod(job, 0);
  const held = (...tenants: readonly Wire[]) =>
    indexCluster(
      createSnapshot([
        aNodeIn("r1", "n1"),
        aNodeIn("r2", "n2"),
        aNodeIn(undefined, "n3"),
        ...tenants,
      ]),
    ).allDomainsHeld("rack", leader);

  it("are held when there is another Job's Pod in each", () => {
    expect(held(tenantOn("n1"), tenantOn("n2"))).toBe(true);
    expect(held(tenantOn("n1"))).toBe(false);
    expect(held(tenantOn("n1"), tenantOn("n3"))).toBe(false);
  });

  it("are not held by Pods that have ended, of another priority, or of the Job itself", () => {
    const ended = { ...tenantOn("n2"), status: { phase: "Succeeded" } };
    expect(held(tenantOn("n1"), ended)).toBe(false);
    expect(held(tenantOn("n1"), tenantOn("n2", "9"))).toBe(false);
    expect(held(tenantOn("n1"), createPod(job, 1, { spec: { nodeName: "n2" } }))).toBe(false);
  });
});

describe("facts of a snapshot", () => {
  it("an index is built once for all callers", () => {
    const lists: string[] = [];
    const snapshot = createSnapshot([anEvent(job, "FailedCreate", "no quota"), theJobSet()]);
    const objects: typeof snapshot.objects = (kind) => {
      lists.push(kind);
      return snapshot.objects(kind);
    };
    const watched = Object.assign(Object.create(snapshot), { objects });
    for (const name of ["a", "b"]) {
      indexCluster(watched).eventsAbout({ metadata: { name, namespace: "ml" } }, "Job");
    }
    expect(lists).toEqual(["Event", "Event.events.k8s.io"]);
  });
});
