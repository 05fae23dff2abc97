import { describe, expect, it } from "vitest";
import { formatJsonPath, parseJsonPath } from "./jsonpath.ts";

/** Returns the output of a template for a value, or the error. */
function printWith(template: string, value: unknown): string {
  const parsed = parseJsonPath(template);
  if (!parsed.ok) return `refused: ${parsed.message}`;
  const text = formatJsonPath(parsed.value, value);
  return text.ok ? text.value : `refused: ${text.message}`;
}

const configMap = {
  apiVersion: "v1",
  data: { a: "1", "b.c": 'q"z', n: "" },
  kind: "ConfigMap",
  metadata: { creationTimestamp: null, name: "x" },
};
const containers = [
  { image: "nginx:1", name: "nginx", resources: {} },
  { image: "busybox", name: "busybox", resources: {} },
];
const deployment = {
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { replicas: 3, strategy: {}, template: { spec: { containers } } },
};

describe("the output of kubectl 1.32", () => {
  it.each([
    ["{.metadata.name}", "x"],
    ["{.data}", '{"a":"1","b.c":"q\\"z","n":""}'],
    ["{.data.a}", "1"],
    ["{.data.b\\.c}", 'q"z'],
    ["{.nope}", ""],
    ["{.nope.at.all}", ""],
    ["{.metadata}", '{"creationTimestamp":null,"name":"x"}'],
    ["{.metadata.creationTimestamp}", "null"],
    ["{@}", JSON.stringify(configMap)],
    ["{.}", JSON.stringify(configMap)],
    ["{$.kind}", "ConfigMap"],
    ["{ .kind }", "ConfigMap"],
    ['x{.kind}y{"\\n"}', "xConfigMapy\n"],
    ["{'\\n'}", "\n"],
    ["{'it\\'s'}", "it's"],
    ['{"a}b"}', "a}b"],
    ["a}b{1}{true}", "a}b1true"],
    ['{range .data.*}{@}{"\\n"}{end}', '1\nq"z\n\n'],
    ["{..name}", "x"],
    ["{['data','kind']}", '{"a":"1","b.c":"q\\"z","n":""} ConfigMap'],
  ])("jsonpath prints the same as kubectl for a ConfigMap: %s", (template, text) => {
    expect(printWith(template, configMap)).toBe(text);
  });

  it.each([
    ["{.metadata.name}{.spec.nope}", "web"],
    ["{.spec.replicas}", "3"],
    ["{.spec.strategy}", "{}"],
    ["{LIST[*].image}", "nginx:1 busybox"],
    ["{LIST[0].image}", "nginx:1"],
    ["{LIST[-1].image}", "busybox"],
    ["{LIST[0:1].name}", "nginx"],
    ["{LIST[-1:].name}", "busybox"],
    ["{LIST[::2].name}", "nginx"],
    ["{LIST[0,1].name}", "nginx busybox"],
    ['{LIST[?(@.name=="nginx")].image}', "nginx:1"],
    ["{LIST[?(@.name=='nginx')].image}", "nginx:1"],
    ['{LIST[?(@.name!="nginx")].image}', "busybox"],
    ['{LIST[?(@.name>"a")].name}', "nginx busybox"],
    ["{LIST[?(@.image)].name}", "nginx busybox"],
    ["{LIST[*].resources}", "{} {}"],
    ["{LIST[*]}", containers.map((one) => JSON.stringify(one)).join(" ")],
    ["{LIST}", JSON.stringify(containers)],
    ["{.spec.template.spec..name}", "nginx busybox"],
    ['{range LIST[*]}{.name}{"\\t"}{.image}{"\\n"}{end}', "nginx\tnginx:1\nbusybox\tbusybox\n"],
    ["{range LIST[*]}[{@.name}, {.resources}] {end}", "[nginx, {}] [busybox, {}] "],
    ["{range LIST[*]}{range .resources}{@}{end}{end}", "{}{}"],
    ["{range LIST[*]}{$.kind} {end}", "Deployment Deployment "],
  ])("jsonpath prints the same as kubectl for a Deployment: %s", (template, text) => {
    expect(printWith(template.replace("LIST", ".spec.template.spec.containers"), deployment)).toBe(
      text,
    );
  });

  it.each([
    ["{", 'expected a path such as .metadata.name or a string such as "\\n", at character 2'],
    ["{.a", "} is missing, at character 4"],
    ["{end}", "{end} has no matching {range}, at character 6"],
    ["{foo}", 'expected a path such as .metadata.name or a string such as "\\n", at character 2'],
    ["{.data.a,.data.n}", "} is missing after the path, at character 9"],
    ["{.spec.replicas > 2}", "} is missing after the path, at character 16"],
    [
      '{.data["b.c"]}',
      "brackets must contain a number, a slice, *, a filter ?(…) or a key in single quotes, at character 8",
    ],
    [
      '{.a[?(@.name=~"ng")]}',
      "a filter must be one comparison with ==, !=, <, <=, > or >=, and end with ), at character 13",
    ],
    ["{.data[0]}", '{"a":"1","b.c":"q\\"z","n":""} is not a list and has no elements to count'],
    [
      "{.metadata[?(@.name)]}",
      '{"creationTimestamp":null,"name":"x"} is not a list and cannot be filtered',
    ],
  ])("jsonpath rejects, as kubectl does, %s", (template, message) => {
    expect(printWith(template, configMap)).toBe(`refused: ${message}`);
  });
});

describe("differences from kubectl", () => {
  it("jsonpath supports dots in quoted keys, for which kubectl finds nothing", () => {
    expect(printWith("{.data['b.c']}", configMap)).toBe('q"z');
  });

  it("jsonpath rejects a range without an end, for which kubectl prints nothing", () => {
    expect(printWith("{range .data.*}{@}", configMap)).toBe(
      "refused: {end} is missing after {range …}, at character 19",
    );
  });

  it("jsonpath rejects a template without braces, which kubectl prints unchanged", () => {
    expect(printWith(".metadata.name", configMap)).toMatch(/^refused: .*\{\.metadata\.name\}/);
  });

  it.each([
    ["[5]", "[5]: there are 2 elements"],
    ["[-3]", "[-3]: there are 2 elements"],
    ["[::0]", "the step of a slice must not be 0, at character 7"],
  ])("jsonpath prints the length of a list, or an error, for %s", (step, message) => {
    expect(printWith(`{@${step}}`, containers)).toBe(`refused: ${message}`);
  });
});

describe("a hostile template", () => {
  it("jsonpath rejects ranges that are nested too deeply", () => {
    const deep = "{range .a[*]}".repeat(100_000);
    expect(printWith(deep, {})).toMatch(/^refused: ranges are nested more than 50 levels deep/);
  });

  it("jsonpath escapes control characters of values", () => {
    expect(printWith("{.a}", { a: "x\u001b[2J\n\ty" })).toBe("x\\u001b[2J\n\ty");
  });

  it("jsonpath finds no inherited members of JavaScript objects", () => {
    expect(printWith("{.constructor}{.__proto__}{.toString.name}", {})).toBe("");
  });
});
