import { describe, expect, it } from "vitest";
import {
  diagnoseCluster,
  exclusiveCluster,
  unschedulable,
} from "../testing/a-diagnosed-cluster.ts";
import { toDiagnosisJson } from "./diagnosis-data.ts";
import { renderDiagnosis, renderDiagnosisMarkdown } from "./render.ts";

const message = "0/10 nodes are available: 10 Insufficient google.com/tpu.";
const stuckDiagnosis = diagnoseCluster(exclusiveCluster({ leader: unschedulable(message) }));

describe("renderDiagnosis and renderDiagnosisMarkdown", () => {
  it("renderDiagnosis marks lines for styling", () => {
    expect(renderDiagnosis(stuckDiagnosis).map(({ role }) => role)).toEqual([
      "Heading",
      "Root",
      "Symptom",
      "Symptom",
      "Advice",
      "Note",
    ]);
  });

  it("renderDiagnosisMarkdown shows evidence as code", () => {
    expect(renderDiagnosisMarkdown(stuckDiagnosis)).toBe(
      [
        "### `ml/js`: stuck",
        "",
        "**Root cause**: `not enough google.com/tpu for js-w-0-0-abcde (10 of 10 nodes)`, for 5 min",
        "",
        `- \`Pod/ml/js-w-0-0-abcde PodScheduled\`: \`${message}\``,
        "- leads to `leader js-w-0-0-abcde has no node`",
        "  - leads to `3 followers of js-w-0 are denied at admission: follower pod node selector not set`",
        "",
        "What helps: add nodes with the resource, free some of it, or request less.",
        "",
        "Note: the message in the Events reports only a symptom of the root cause",
        "",
      ].join("\n"),
    );
  });

  it("renderers escape control sequences and Markdown in cluster text", () => {
    const evil = unschedulable("\u001b[2J\n# `` not a heading");
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: evil }));
    const lines = renderDiagnosis(diagnosis).map(({ text }) => text);
    expect(lines.filter((line) => line.includes("\u001b") || line.includes("\n"))).toEqual([]);
    expect(renderDiagnosisMarkdown(diagnosis)).toContain("``` js-w-0-0-abcde is not scheduled:");
  });

  it("renderDiagnosis counts the omitted root causes", () => {
    const many = {
      ...stuckDiagnosis,
      chains: Array.from({ length: 23 }, () => stuckDiagnosis.chains).flat(),
    };
    expect(renderDiagnosis(many).map(({ text }) => text)).toContain("… and 3 more");
    expect(renderDiagnosisMarkdown(many)).toContain("… and 3 more root causes");
  });

  it("renderers report unchecked findings, and mark findings that depend on unread kinds", () => {
    const leader = { spec: { nodeName: "n1" } };
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader, nodes: [] }), ["Service"]);
    const lines = renderDiagnosis(diagnosis).map(({ text }) => text);
    expect(lines).toContain(
      "node n1 of leader js-w-0-0-abcde does not exist (the lists may be from different times)",
    );
    expect(lines.at(-1)).toBe(
      "services were not read, so not checked: service-foreign, service-missing",
    );
    const untold = exclusiveCluster({ leader: { spec: {}, status: { phase: "Pending" } } });
    const [, first] = renderDiagnosis(diagnoseCluster(untold, ["Event"])).map(({ text }) => text);
    expect(first).toBe(
      "leader js-w-0-0-abcde has no node (the cause may be in objects that were not read), for 5 min",
    );
  });
});

describe("toDiagnosisJson", () => {
  it("toDiagnosisJson names objects by kind, namespace and name", () => {
    const { roots, chains, jobSet } = toDiagnosisJson(stuckDiagnosis);
    expect(jobSet).toBe("ml/js");
    expect(roots).toMatchObject([
      { id: "insufficient-capacity", confidence: "Certain", objects: ["Pod/ml/js-w-0-0-abcde"] },
    ]);
    expect(chains.map((links) => links.map(({ id }) => id))).toEqual([
      ["insufficient-capacity", "leader-unscheduled", "followers-refused"],
    ]);
  });

  it("toDiagnosisJson survives a JSON round trip", () => {
    const data = toDiagnosisJson(stuckDiagnosis);
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });

  it("toDiagnosisJson never contains environment values of containers", () => {
    const env = [{ name: "TOKEN", value: "hunter2" }];
    const leader = { ...unschedulable(message), spec: { containers: [{ name: "main", env }] } };
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader }));
    expect(JSON.stringify(diagnosis) + renderDiagnosisMarkdown(diagnosis)).not.toContain("hunter2");
  });
});
