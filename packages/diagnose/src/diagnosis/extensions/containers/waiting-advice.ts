import { asString, getNamespace } from "@jobset-ts/api/kubernetes";
import type { ContainerView, Termination } from "../../view/containers.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { adviseRecreation } from "./recreate.ts";
import { isOutOfMemory } from "./termination.ts";

/** The kubelet's reasons why it has no image. The container has never run, so it has no log. */
export const imageReasons: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** Returns the advice for a missing image, from the kubelet's message. */
export function adviseImage(view: PodInJob, image: string, reason: string, message: string) {
  const { jobSet } = view;
  if (reason === "ErrImageNeverPull")
    return [
      adviseRecreation(
        jobSet,
        `load ${image} onto the node, or set \`imagePullPolicy: IfNotPresent\``,
      ),
    ];
  if (reason === "InvalidImageName")
    return [adviseRecreation(jobSet, `correct the image name ${image}`)];
  const known = imageProblems.find(([pattern]) => pattern.test(message));
  const correct = adviseRecreation(jobSet, `correct the image ${image}`);
  if (known === undefined)
    return [`check that ${image} exists and that the node can pull it`, correct];
  return known[1] === "Missing"
    ? [`push ${image} to its registry; the kubelet then pulls it by itself`, `or ${correct}`]
    : [known[1].replace("IMAGE", image).replace("NODE", view.pod.nodeName)];
}

/** The first pattern in the kubelet's message decides. */
const imageProblems: readonly (readonly [RegExp, string])[] = [
  [
    /too many requests|toomanyrequests|rate limit|\b429\b/i,
    "wait for the rate limit of the registry, or pull IMAGE with credentials or from a mirror",
  ],
  [/no space left|disk ?pressure/i, "free disk space on node NODE: it cannot store IMAGE"],
  [
    /no match for platform|exec format|platform/i,
    "publish IMAGE for the architecture of the node, or select nodes of the image's architecture",
  ],
  [/x509|certificate/i, "make the node trust the certificate of the registry of IMAGE"],
  [
    /unauthori[sz]ed|authentication required|authoriz|denied|forbidden|\b40[13]\b|no basic auth|credential/i,
    "let the nodes pull IMAGE: check `imagePullSecrets` of the Pod or its ServiceAccount, and whether the Secret is valid for this registry",
  ],
  [/not found|manifest unknown|does not exist|name unknown|\b404\b/i, "Missing"],
  [
    /no such host|timeout|timed out|connection refused|no route|unreachable|dial tcp|EOF|reset by peer|\b5\d\d\b/i,
    "check the registry of IMAGE, and whether the node can reach it: DNS, proxy, firewall",
  ],
];

/** Returns the advice if the kubelet cannot configure or create a container. */
export function adviseCreation(view: PodInJob, message: string): readonly string[] {
  const { jobSet } = view;
  const namespace = getNamespace(view.pod.pod);
  const missing = /\b(secret|configmap) "([^"]+)" not found/i.exec(message);
  if (missing !== null) {
    const kind = missing[1]?.toLowerCase() === "secret" ? "Secret" : "ConfigMap";
    return [
      `create ${kind} ${missing[2]} in namespace ${namespace}; the kubelet then starts the container by itself`,
    ];
  }
  const key = /couldn't find key (\S+) in (Secret|ConfigMap) (\S+)/i.exec(message);
  if (key !== null)
    return [
      `add key ${key[1]} to ${key[2]} ${key[3]}; the kubelet then starts the container by itself`,
    ];
  if (/runAsNonRoot|run as root|non-numeric user/i.test(message))
    return [adviseRecreation(jobSet, "set a numeric `runAsUser` other than 0")];
  const profile = /seccomp|apparmor/i.exec(message)?.[0];
  if (profile !== undefined) {
    return [
      `install the ${profile} profile in the message on node ${view.pod.nodeName}`,
      adviseRecreation(jobSet, "or use a profile that the node has"),
    ];
  }
  if (/subpath/i.test(message))
    return ["create the path of `subPath` in the volume, or check its permissions"];
  if (/permission denied/i.test(message))
    return [
      adviseRecreation(jobSet, "make the file executable in the image, or correct `command`"),
    ];
  if (/executable file not found|no such file or directory/i.test(message))
    return [adviseRecreation(jobSet, "correct `command`, or add the file to the image,")];
  if (/exec format error/i.test(message)) return [USE_ARCHITECTURE];
  if (/nvidia|\bcdi\b|device|driver/i.test(message)) {
    const { nodeName } = view.pod;
    return [
      `check the device driver and the container runtime of node ${nodeName}: kubectl describe node ${nodeName}`,
    ];
  }
  if (/context deadline exceeded|is reserved for|DeadlineExceeded/i.test(message))
    return ["check the container runtime and the disk of the node: it does not respond in time"];
  return ["fix the cause in the kubelet's message"];
}

const USE_ARCHITECTURE = "use an image for the architecture of the node";

/** Reports whether a container ended because the runtime could not start it. */
export function failedToStart({ reason }: Termination): boolean {
  return reason === "StartError" || reason === "ContainerCannotRun";
}

/** Reports whether the kubelet did not find a container any more, as after a restart of its node. */
export function isLost({ reason }: Termination): boolean {
  return reason === "ContainerStatusUnknown";
}

function adviseOnLostContainer({ pod: { nodeName }, facts }: PodInJob): string {
  const isGone = facts.wasRead("Node") && facts.snapshot.node(nodeName) === undefined;
  return isGone
    ? `find out why node ${nodeName}, which no longer exists, was removed`
    : `check node ${nodeName}, which lost the container: kubectl describe node ${nodeName}`;
}

/** Returns the advice if a container ends again and again. */
export function adviseEnd(
  view: PodInJob,
  container: ContainerView,
  ended: Termination | undefined,
  isPrevious: boolean,
): readonly string[] {
  const { jobSet, pod } = view;
  const { name } = container;
  if (ended !== undefined && isOutOfMemory(ended)) {
    const limit = formatLimit(container.spec.resources?.limits?.memory);
    const now = limit === "" ? "" : ` (now ${limit})`;
    return [
      adviseRecreation(
        jobSet,
        `raise the memory limit of container ${name}${now}, or use less memory,`,
      ),
    ];
  }
  const message = asString(ended?.message);
  if (ended !== undefined && failedToStart(ended)) return adviseCreation(view, message);
  if (ended !== undefined && isLost(ended)) return [adviseOnLostContainer(view)];
  const causes = [
    ...(/exec format error/i.test(message) ? [USE_ARCHITECTURE] : []),
    // The reason of a Pod shows what ended its containers.
    ...(ended?.exitCode === 137 && !pod.pod.status?.reason ? [explainKill(view)] : []),
  ];
  const previous = isPrevious ? " --previous" : "";
  const log = `kubectl logs ${pod.name} -n ${getNamespace(pod.pod)} -c ${name}${previous}`;
  return [...causes, `read the log of the container's last run: \`${log}\``];
}

function explainKill({ pod, facts }: PodInJob): string {
  const node = facts.snapshot.node(pod.nodeName);
  const events = node === undefined ? [] : facts.eventsAbout(node, "Node");
  if (events.some(({ reason }) => reason === "SystemOOM")) {
    return `request as much memory as the container uses in a new JobSet: node ${pod.nodeName} ran out of memory (SystemOOM): kubectl describe node ${pod.nodeName}`;
  }
  return `find out who killed the container: without OOMKilled, often a probe, or one of its processes ran out of memory: kubectl describe node ${pod.nodeName}`;
}

/** A quantity is text, or a number in a manifest that no API server has stored. */
function formatLimit(limit: unknown): string {
  return typeof limit === "number" ? `${limit}` : asString(limit as string);
}
