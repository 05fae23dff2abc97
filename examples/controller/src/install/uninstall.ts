import type { ObjectKey } from "@jobset-ts/core";
import { getObjectKey, kindAndName } from "./administrator.ts";
import type { InstallEnvironment } from "./install.ts";
import { type Deployment, readDeployment, readPrerequisites } from "./manifests.ts";
import { isOurs } from "./other-controllers.ts";

const LEASE: ObjectKey = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  namespace: "jobset-system",
  name: "jobset-controller",
};

/**
 * Removes all objects that {@link install} installed, except the Namespace. It removes the webhook configurations
 * first, because JobSets could not be written without their webhooks. It removes the CRD last, and only on request,
 * because that deletes all JobSets.
 *
 * @throws Error with a message for the user
 */
export async function uninstall(
  { cluster, say }: InstallEnvironment,
  { deletesCrd }: { readonly deletesCrd: boolean },
): Promise<void> {
  const deployment = readDeployment();
  const found = (await cluster.find(getObjectKey(deployment))) as Deployment | undefined;
  if (found !== undefined && !isOurs(found)) {
    throw new Error(`${kindAndName(found)} belongs to another controller; nothing was changed`);
  }
  const objects = readPrerequisites();
  const isWebhook = ({ kind = "" }) => kind.endsWith("WebhookConfiguration");
  const isKept = ({ kind = "" }) => kind === "Namespace" || kind === "CustomResourceDefinition";
  const others = objects.filter((object) => !isWebhook(object) && !isKept(object)).reverse();
  const keys = [...objects.filter(isWebhook), deployment, ...others].map(getObjectKey);
  for (const key of [...keys, LEASE]) {
    const wasThere = await cluster.remove(key);
    say(`${key.kind} ${key.name}: ${wasThere ? "deleted" : "does not exist"}`);
  }
  const crd = objects.find(({ kind }) => kind === "CustomResourceDefinition");
  const jobSets = await cluster.list(
    { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", namespace: "" },
    { limit: 1 },
  );
  if (crd !== undefined && jobSets !== undefined) {
    const count = jobSets.items.length + (jobSets.metadata.remainingItemCount ?? 0);
    const all = `all JobSets with their Jobs, currently ${count}`;
    if (deletesCrd) {
      say(`${kindAndName(crd)}: deleting it deletes ${all}`);
      await cluster.remove(getObjectKey(crd));
      say(`${kindAndName(crd)}: deleted`);
    } else {
      say(`${kindAndName(crd)}: kept. --delete-crd deletes it, and with it ${all}`);
    }
  }
  say(`Namespace ${deployment.metadata.namespace}: kept, because it may contain other objects`);
}
