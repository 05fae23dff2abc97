import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { UNREDACTED_ANNOTATIONS } from "../packages/api/src/redacted-positions.ts";
import * as kueueKeys from "../packages/kueue/src/keys.ts";

it("SECURITY.md lists exactly the annotations whose values are not redacted", () => {
  const text = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const [, list = ""] =
    /These values are not redacted:(.*?)- in messages from other/s.exec(text) ?? [];
  const listed = [...list.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const names = [...UNREDACTED_ANNOTATIONS].map((key) => key.slice(key.indexOf("/") + 1));
  const others = ["replicas", "exclusive-topology"];
  const written = listed
    .filter((name) => !name.endsWith("/"))
    .map((name) => name.slice(name.indexOf("/") + 1))
    .filter((name) => !others.includes(name));
  expect(written.sort()).toEqual(names.filter((name) => !others.includes(name)).sort());
  expect(listed).toContain("alpha.jobset.sigs.k8s.io/exclusive-topology");
});

it("the annotations of Kueue that are not redacted are keys of Kueue", () => {
  const keys = new Set<unknown>(Object.values(kueueKeys));
  const own = [...UNREDACTED_ANNOTATIONS].filter((key) => key.startsWith("kueue."));
  expect(own.filter((key) => !keys.has(key))).toEqual([]);
  expect(own.length).toBeGreaterThan(5);
});
