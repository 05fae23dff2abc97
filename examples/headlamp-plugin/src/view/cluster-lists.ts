import { K8s } from "@kinvolk/headlamp-plugin/lib";
import { makeCustomResourceClass } from "@kinvolk/headlamp-plugin/lib/Crd";
import { useEffect, useState } from "react";
import {
  getKindList,
  type KindList,
  type ListedKind,
  type ListState,
} from "../model/cluster-lists.ts";

/** Some versions of Headlamp have no class for these two kinds. */
const JobSetClass = makeCustomResourceClass({
  apiInfo: [{ group: "jobset.x-k8s.io", version: "v1alpha2" }],
  kind: "JobSet",
  pluralName: "jobsets",
  singularName: "jobset",
  isNamespaced: true,
});
const EventClass = makeCustomResourceClass({
  apiInfo: [{ group: "", version: "v1" }],
  kind: "Event",
  pluralName: "events",
  singularName: "event",
  isNamespaced: true,
});
const { Job, Pod, Node, Service, PersistentVolumeClaim } = K8s.ResourceClasses;

/**
 * Lists all kinds that a diagnosis needs in the displayed cluster. A snapshot is always of one cluster. Headlamp keeps
 * the lists up to date.
 */
export function useClusterLists(): readonly KindList[] {
  const cluster = K8s.useCluster() ?? undefined;
  const results: Readonly<Record<ListedKind, ListState>> = {
    JobSet: JobSetClass.useList({ cluster }),
    Job: Job.useList({ cluster }),
    Pod: Pod.useList({ cluster }),
    Node: Node.useList({ cluster }),
    Service: Service.useList({ cluster }),
    Event: EventClass.useList({ cluster }),
    PersistentVolumeClaim: PersistentVolumeClaim.useList({ cluster }),
  };
  const [wereRead] = useState(() => new Set<string>());
  const lists = Object.entries(results).map(([kind, result]) =>
    getKindList(kind as ListedKind, result, wereRead.has(`${cluster} ${kind}`)),
  );
  useEffect(() => {
    for (const { kind, outcome } of lists)
      if (outcome === "Read") wereRead.add(`${cluster} ${kind}`);
  });
  return lists;
}
