/** Returns the advice if the API server cannot call a webhook, from its error. Undefined for an unknown error. */
export function adviseOnWebhook(message: string): readonly string[] | undefined {
  const url = /https:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.svc[:/]/.exec(message);
  const service: WebhookService =
    url === null
      ? { title: "the webhook", option: " -n NAMESPACE" }
      : { title: `Service ${url[1]} in namespace ${url[2]}`, option: ` -n ${url[2]}` };
  const known = adviceByError.find(([pattern]) => pattern.test(message));
  return known?.[1](service);
}

/** The Service of a webhook, as text. */
interface WebhookService {
  readonly title: string;
  /** The option of kubectl for its namespace. */
  readonly option: string;
}

const LIST_CONFIGURATIONS =
  "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations";

const adviceByError: readonly (readonly [
  RegExp,
  (service: WebhookService) => readonly string[],
])[] = [
  [
    /x509: certificate has expired or is not yet valid: current time \S+ is before/,
    ({ title }) => [
      `compare the clocks of the API server and of the program that issued the certificate of ${title}: the certificate is not valid yet`,
    ],
  ],
  [
    /x509: certificate has expired/,
    ({ title, option }) => [
      `renew the certificate of ${title}: check its issuer, such as cert-manager, and restart the Pods behind it: kubectl rollout restart deployment${option}`,
    ],
  ],
  [
    /x509: /,
    ({ title }) => [
      `compare the \`caBundle\` in the webhook's configuration with the certificate of ${title}: ${LIST_CONFIGURATIONS}`,
      "if cert-manager or the controller writes the `caBundle`, check that it runs, or install the component again",
    ],
  ],
  [
    /no endpoints available|connection refused/,
    ({ title, option }) => [
      `repair the Pods of ${title}, of which none responds: kubectl get pods${option}`,
    ],
  ],
  [
    /service "[^"]*" not found|no such host/,
    ({ title }) => [
      `install the component of ${title} again, or delete its webhook configuration if it was removed: ${LIST_CONFIGURATIONS}`,
    ],
  ],
  [
    /deadline exceeded|timeout|timed out|no route to host|connection reset/i,
    ({ title, option }) => [
      `check that the API server can reach the Pods of ${title}: firewall rules between the control plane and the nodes for the port of the webhook, and network policies`,
      `check that these Pods are not overloaded: kubectl get pods${option} -o wide`,
    ],
  ],
];
