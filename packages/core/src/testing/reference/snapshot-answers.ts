import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { vocabulary } from "../../../../testing/src/arbitraries/arbitrary-objects.ts";
import type { Snapshot } from "../../index.ts";

/** Every query of a snapshot with the names of `vocabulary`, by its text. */
export const snapshotQuestions: ReadonlyMap<string, (snapshot: Snapshot) => unknown> = new Map([
  ["jobSets", (snapshot: Snapshot) => snapshot.jobSets],
  ["nodes", (snapshot: Snapshot) => snapshot.nodes],
  ...vocabulary.names.map((name) => createQuery("node", name)),
  ...queryInNamespaces("jobSet", vocabulary.names),
  ...queryInNamespaces("job", vocabulary.names),
  ...queryInNamespaces("pod", vocabulary.names),
  ...queryInNamespaces("service", vocabulary.names),
  ...queryInNamespaces("volumeClaim", vocabulary.names),
  ...queryInNamespaces("jobsOfJobSetName", vocabulary.names),
  ...queryInNamespaces("podsOfJobSet", [...vocabulary.names, ""]),
  ...queryInNamespaces("podsByJobKey", vocabulary.jobKeys),
  ...queryInNamespaces("podsByIndexName", vocabulary.indexNames),
  ...vocabulary.uids.flatMap((uid) => [
    createQuery("podsControlledBy", uid),
    createQuery("eventsAbout", uid),
  ]),
  ...vocabulary.namespaces.flatMap((namespace) =>
    vocabulary.uids.map((uid) => {
      const jobSet: Unvalidated<JobSet> = { metadata: { namespace, uid } };
      return [
        `childJobs of ${namespace}/${uid}`,
        (snapshot: Snapshot) => snapshot.childJobs(jobSet),
      ] as const;
    }),
  ),
  ...vocabulary.kinds.flatMap((kind) => [
    createQuery("objects", kind),
    createQuery("kindStatus", kind),
    createQuery("object", kind, "ml", "train"),
    createQuery("object", kind, "", "train-w-0"),
  ]),
]);

/** The results of all queries. */
export function listQueryResults(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const results = [...snapshotQuestions].map(([name, respond]) => [name, respond(snapshot)]);
  return Object.fromEntries(results);
}

/** The methods of a snapshot whose parameters are all text. */
type TextMethod = {
  [Name in keyof Snapshot]: Snapshot[Name] extends (...texts: string[]) => unknown ? Name : never;
}[keyof Snapshot];

function createQuery(method: TextMethod, ...texts: readonly string[]) {
  const respond = (snapshot: Snapshot): unknown =>
    (snapshot[method] as (...texts: readonly string[]) => unknown)(...texts);
  return [`${method}(${texts.join(", ")})`, respond] as const;
}

function queryInNamespaces(method: TextMethod, names: readonly string[]) {
  return vocabulary.namespaces.flatMap((namespace) =>
    names.map((name) => createQuery(method, namespace, name)),
  );
}
