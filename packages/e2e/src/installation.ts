import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { type Cluster, eventually, type Stored } from "./cluster.ts";

/** The manifests of the examples in the order of their installation. */
const manifests = [
  ...["namespace", "crd", "rbac", "webhooks"].map((name) => `controller/manifests/${name}.yaml`),
  // The proxy's webhooks have the same names, so they replace the controller's.
  "admission-proxy/manifests/rbac.yaml",
];

/**
 * Installs the example controller and the admission proxy as a user would. The only difference is that the webhooks run
 * on this machine and are not called through a Service.
 *
 * @param examples - the folder of the examples
 * @param webhooks.url - the URL of the webhooks
 * @param webhooks.caBundle - the CA of their certificate, as PEM text
 */
export async function install(
  cluster: Cluster,
  examples: string,
  webhooks: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  for (const file of manifests) {
    const documents = parseAllDocuments(readFileSync(join(examples, file), "utf8"));
    for (const document of documents) await cluster.apply(setWebhookUrl(webhooks, document.toJS()));
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

function setWebhookUrl(
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
