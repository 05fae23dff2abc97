import type { Member } from "@jobset-ts/api/typed";

const x = (count: number) => "x".repeat(count);

/** Texts that violate some rule for names, paths, addresses or numbers, and texts that violate none. */
const texts: readonly string[] = [
  "",
  " ",
  "ok",
  "Upper",
  "a.b",
  "-a",
  "a-",
  "a_b",
  "_a.b",
  "a--b",
  "a/b",
  "a/b/c",
  "/a",
  "a/",
  "../a",
  "a/../b",
  "..",
  "..a",
  ".",
  "a b",
  "a=b",
  "a<b>&c",
  "é",
  "tab\there",
  "1",
  "01",
  "-1",
  "123",
  "10.0.0.01",
  "256.1.1.1",
  "10.0.0.1",
  "::ffff:10.0.0.1",
  "fe80::1",
  "1:2:3:4:5:6:7:8:9",
  "::1%eth0",
  "example.com/x",
  "kubernetes.io/x",
  "requests.example.com/x",
  "Example.com/X",
  "metadata.labels['a b']",
  "metadata.name['x']",
  "spec.host",
  "status.phase",
  "requests.hugepages-2Mi",
  "limits.memory",
  "a:1,b",
  "[::1]:80",
  "https://a",
  "/subscriptions/a",
  "eui.0123456789abcdef",
  "naa.1",
  "iqn.2001-04.com.example",
  "a\\b\\c",
  "domain\\",
  "...",
  'user"',
  "net.ipv4.x",
  "CAP_SYS_ADMIN",
  "0-3,2",
  "3-1",
  "a-b-c",
  x(16),
  x(64),
  x(65),
  x(254),
  `${x(60)}.${x(60)}`,
  `-${x(300)}/${x(70)}`,
];

/** The enumerated values of all types. */
const choices: readonly string[] = [
  ...["Always", "OnFailure", "Never", "IfNotPresent", "RestartAllContainers", "Restart"],
  ...["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equal"],
  ...["NoSchedule", "NoExecute", "PreferNoSchedule", "DoNotSchedule", "ScheduleAnyway"],
  ...["TCP", "UDP", "SCTP", "HTTP", "HTTPS", "Honor", "Ignore", "File"],
  ...["None", "Default", "ClusterFirst", "Unmasked", "Localhost", "RuntimeDefault", "Unconfined"],
  ...["Indexed", "NonIndexed", "Failed", "TerminatingOrFailed", "Count", "FailIndex", "FailJob"],
  ...["cpu", "memory", "NotRequired", "RestartContainer", "linux", "windows", "MountOption"],
  ...["Enabled", "IfPossible", "Disabled", "Bidirectional", "HostToContainer", "Block", "Managed"],
  ...["ReadWriteOncePod", "ReadOnlyMany", "Memory", "Merge", "Strict", "OnRootMismatch", "True"],
];

const integers: readonly number[] = [
  ...[-1, 0, 1, 2, 7, 100, 101, 255, 256, 511, 512, 599, 65_535, 65_536, 100_001, 2 ** 31 - 1],
];
const longIntegers: readonly number[] = [...integers, 2 ** 31, 2 ** 32 + 1];

const quantities: readonly unknown[] = [
  ...["0", "-1", "1", "1500m", "1m", "1n", "3Mi", "4Mi", "1Gi", "100Gi", "1e3", "1E", "0.5", 3],
];

const ports: readonly unknown[] = [0, 70_000, 8080, "http", "BAD", "a--b", "1", x(16), ""];

/** Returns other values of one type, valid or not. */
export function listChangedValues({ type }: Pick<Member, "type">): readonly unknown[] {
  switch (type) {
    case "string":
      return [...texts, ...choices];
    case "boolean":
      return [true, false];
    case "int32":
    case "integer":
      return integers;
    case "int64":
      return longIntegers;
    case "Quantity":
      return quantities;
    case "IntOrString":
      return ports;
    default:
      return [];
  }
}

/** Keys of labels, annotations, selectors and resources. */
export const keys: readonly string[] = [
  ...["ok", "a b", "", "a/b", "A.b/c", "example.com/gpu", "kubernetes.io/x", "a/b/c", x(64)],
  ...["hugepages-1Gi", "hugepages-x", "hugepages-", "requests.cpu", "pods", "storage", "gpu"],
  ...["requests.example.com/gpu", "cpu", "memory", `${x(240)}.io/a`, "-a/b", "app", "tier"],
  ...["container.apparmor.security.beta.kubernetes.io/none", "kubernetes.io/config.mirror"],
];
