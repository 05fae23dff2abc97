import { beforeEach, describe, expect, it } from "vitest";
import type { Stored, WatchEvent } from "./cluster.ts";
import { CreationLog } from "./creation-log.ts";

const kinds = ["Job", "Service", "PersistentVolumeClaim", "JobSet"];

let births: CreationLog;
let report: (type: WatchEvent["type"], object: Stored) => void;

beforeEach(() => {
  const listeners = new Map<string, (event: WatchEvent) => void>();
  births = CreationLog.watch({
    follow: async (kind, onEvent) => void listeners.set(kind, onEvent),
  });
  expect([...listeners.keys()]).toEqual(kinds);
  report = (type, object) => listeners.get(object.kind)?.({ type, object });
});

function service(uid: string, resourceVersion: number, namespace = "here"): Stored {
  const ownerReferences = [{ kind: "JobSet", uid: "set", controller: true }];
  const metadata = { namespace, name: "train", uid, resourceVersion: `${resourceVersion}` };
  return { kind: "Service", metadata: { ...metadata, ownerReferences } };
}

function jobSet(resourceVersion: number): Stored {
  return { kind: "JobSet", metadata: { uid: "set", resourceVersion: `${resourceVersion}` } };
}

/** Returns the result of the namespace check once no more Events arrive. */
function checkNamespace(): Promise<string> {
  return births.check("here", 0).then(
    () => "fine",
    (error) => error.message,
  );
}

describe("the duplicate check", () => {
  it("an object may be reported twice, and may exist in another namespace as well", async () => {
    report("ADDED", service("a", 9));
    report("MODIFIED", service("a", 10));
    report("ADDED", service("a", 10));
    report("ADDED", service("b", 11, "elsewhere"));
    expect(await checkNamespace()).toBe("fine");
  });

  it("a second object with the same name is a duplicate", async () => {
    report("ADDED", service("a", 9));
    report("ADDED", service("b", 10));
    expect(await checkNamespace()).toBe("here/train (Service, attempt 0.0) was created 2 times");
  });

  it("a second object with the same name is allowed in another restart attempt", async () => {
    const job = (uid: string, attempt: string): Stored => {
      const labels = { "jobset.sigs.k8s.io/restart-attempt": attempt };
      const { metadata } = service(uid, 9);
      return { kind: "Job", metadata: { ...metadata, labels } };
    };
    report("ADDED", job("a", "0"));
    report("ADDED", job("b", "1"));
    expect(await checkNamespace()).toBe("fine");
    report("ADDED", job("c", "1"));
    expect(await checkNamespace()).toBe("here/train (Job, attempt 1.0) was created 2 times");
  });

  it("an object created before its JobSet is gone counts", async () => {
    report("ADDED", service("a", 9));
    report("ADDED", service("b", 99));
    report("DELETED", jobSet(100));
    expect(await checkNamespace()).toBe("here/train (Service, attempt 0.0) was created 2 times");
  });

  it("an object created after its JobSet is gone does not count, even if that is reported later", async () => {
    report("ADDED", service("a", 9));
    report("ADDED", service("b", 101));
    const outcome = births.check("here");
    report("DELETED", jobSet(100));
    await outcome;
  });
});
