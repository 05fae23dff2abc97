import { expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

/** Runs a command on a JobSet whose container has more members. */
async function runWith(
  command: string,
  members: string,
  metadata = "",
  options: readonly string[] = [],
) {
  const job = aReplicatedJob("w").replace("- name: main", `- name: main\n            ${members}`);
  const text = aJobSetFile(`replicatedJobs:\n${job}`).replace(
    "      template:\n        spec:",
    `      template:\n        ${metadata || "metadata: {}"}\n        spec:`,
  );
  const { error, exitCode } = await runCommand([command, "-f", "js.yaml", ...options], {
    files: { "js.yaml": text },
  });
  return { error, exitCode };
}

const field = "spec.replicatedJobs[0].template.spec.template.spec.containers[0]";

it.each(["admit", "render"])(
  "%s warns about a field because of which the API server rejects the Jobs",
  async (command) => {
    const { error, exitCode } = await runWith(
      command,
      "volumeMounts: [{name: data, mountPath: /data}]",
    );
    expect(exitCode).toBe(0);
    expect(error).toMatch(/^js\.yaml:\d+:\d+: warning: /);
    expect(error).toContain(
      `${field}.volumeMounts[0].name: the API server rejects Job train-w-0: Not found: "data"`,
    );
  },
);

it("admit warns about the same fields of an updated JobSet", async () => {
  const members = "volumeMounts: [{name: data, mountPath: /data}]";
  const created = await runWith("admit", members);
  const updated = await runWith("admit", members, "", ["--old", "js.yaml"]);
  expect(updated).toEqual(created);
  expect(updated.error).toContain("the API server rejects Job train-w-0");
});

it("admit accepts profiles in annotations, whose values it does not see", async () => {
  const annotations =
    "metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/main: runtime/default}}";
  const { error, exitCode } = await runWith("admit", "tty: true", annotations);
  expect({ error, exitCode }).toEqual({ error: "", exitCode: 0 });
});
