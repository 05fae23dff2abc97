import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { type Cluster, eventually, type Stored } from "./cluster.ts";

/** What the examples ship, in the order in which it is installed. */
const manifests = [
  ...["namespace", "crd", "rbac", "webhooks"].map((name) => `controller/manifests/${name}.yaml`),
  // Its webhooks have the same names, and so take the place of the controller's.
  "admission-proxy/manifests/rbac.yaml",
];

/**
 * Installs what the example controller and the admission proxy ship, as a user would, save that the webhooks are
 * reached on this machine rather than through a Service.
 *
 * @param examples - the folder of the examples
 * @param webhooks.url - where the webhooks listen
 * @param webhooks.caBundle - PEM text of who signed their certificate
 */
export async function install(
  cluster: Cluster,
  examples: string,
  webhooks: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  for (const file of manifests) {
    const documents = parseAllDocuments(readFileSync(join(examples, file), "utf8"));
    for (const document of documents) await cluster.apply(pointedAt(webhooks, document.toJS()));
  }
  const crd = "jobsets.jobset.x-k8s.io";
  await eventually("the API of JobSets is served", async () => {
    const { status } = (await cluster.get("CustomResourceDefinition", "", crd)) ?? {};
    return status?.conditions?.some(
      ({ type, status }: Stored) => type === "Established" && status === "True",
    );
  });
  await eventually(
    "JobSets can be listed",
    async () => (await cluster.list("JobSet")) !== undefined,
  );
}

function pointedAt(
  to: { readonly url: string; readonly caBundle: string },
  object: Stored,
): Stored {
  if (object.webhooks === undefined) return object;
  const caBundle = Buffer.from(to.caBundle).toString("base64");
  const webhooks = object.webhooks.map((webhook: Stored) => ({
    ...webhook,
    clientConfig: { url: to.url + webhook.clientConfig.service.path, caBundle },
  }));
  return { ...object, webhooks };
}
