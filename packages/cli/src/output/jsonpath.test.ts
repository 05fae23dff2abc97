import { describe, expect, it } from "vitest";
import { formatJsonPath, parseJsonPath } from "./jsonpath.ts";

/** What a template prints of a value, or why it does not. */
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

describe("what kubectl 1.32 prints", () => {
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
  ])("of a ConfigMap by %s", (template, text) => {
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
  ])("of a Deployment by %s", (template, text) => {
    expect(printWith(template.replace("LIST", ".spec.template.spec.containers"), deployment)).toBe(
      text,
    );
  });

  it.each([
    ["{", 'a path such as .metadata.name is missing, or a text such as "\\n", at character 2'],
    ["{.a", "} is missing, at character 4"],
    ["{end}", "{end} has no matching {range}, at character 6"],
    ["{foo}", 'a path such as .metadata.name is missing, or a text such as "\\n", at character 2'],
    ["{.data.a,.data.n}", "a path ends here, so } is missing, at character 9"],
    ["{.spec.replicas > 2}", "a path ends here, so } is missing, at character 16"],
    [
      '{.data["b.c"]}',
      "in brackets stand a number, a slice, *, a filter ?(…) or a key in single quotes, at character 8",
    ],
    [
      '{.a[?(@.name=~"ng")]}',
      "a filter is one comparison by ==, !=, <, <=, > or >=, and ends with ), at character 13",
    ],
    ["{.data[0]}", '{"a":"1","b.c":"q\\"z","n":""} is not a list andhas no elements to count'],
    [
      "{.metadata[?(@.name)]}",
      '{"creationTimestamp":null,"name":"x"} is not a list andcannot be filtered',
    ],
  ])("refuses, as kubectl does, %s", (template, message) => {
    expect(printWith(template, configMap)).toBe(`refused: ${message}`);
  });
});

describe("otherwise than kubectl", () => {
  it("a key in quotes may hold dots, of which kubectl finds nothing", () => {
    expect(printWith("{.data['b.c']}", configMap)).toBe('q"z');
  });

  it("a range that does not end is refused, of which kubectl prints nothing", () => {
    expect(printWith("{range .data.*}{@}", configMap)).toBe(
      "refused: {end} is missing after {range …}, at character 19",
    );
  });

  it("a template without braces is refused, which kubectl prints as it is", () => {
    expect(printWith(".metadata.name", configMap)).toMatch(/^refused: .*\{\.metadata\.name\}/);
  });

  it.each([
    ["[5]", "[5]: there are 2 elements"],
    ["[-3]", "[-3]: there are 2 elements"],
    ["[::0]", "a slice with step 0 never ends, at character 7"],
  ])("%s of a list says how long it is, or what is wrong", (step, message) => {
    expect(printWith(`{@${step}}`, containers)).toBe(`refused: ${message}`);
  });
});

describe("a hostile template", () => {
  it("that nests ranges without end is refused", () => {
    const deep = "{range .a[*]}".repeat(100_000);
    expect(printWith(deep, {})).toMatch(/^refused: ranges stand more than 50 deep/);
  });

  it("of a hostile value gives a terminal no orders", () => {
    expect(printWith("{.a}", { a: "x\u001b[2J\n\ty" })).toBe("x\\u001b[2J\n\ty");
  });

  it("that asks for what every object inherits finds nothing", () => {
    expect(printWith("{.constructor}{.__proto__}{.toString.name}", {})).toBe("");
  });
});
