import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { type Cluster, eventually, type Stored } from "./cluster.ts";

/**
 * Installs what the example controller ships, as a user would, save that the webhooks are reached on this machine
 * rather than through a Service.
 *
 * @param webhooks.url - where the webhooks listen
 * @param webhooks.caBundle - PEM text of who signed their certificate
 */
export async function install(
  cluster: Cluster,
  manifests: string,
  webhooks: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  for (const file of ["namespace.yaml", "crd.yaml", "rbac.yaml", "webhooks.yaml"]) {
    const documents = parseAllDocuments(readFileSync(join(manifests, file), "utf8"));
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
