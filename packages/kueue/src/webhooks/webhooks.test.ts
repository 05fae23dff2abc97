import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import { kueueAncestor } from "./ancestor.ts";
import { defaultOnCreate } from "./default-on-create.ts";
import { validateKueueCreate, validateKueueUpdate } from "./validate.ts";

const features = resolveKueueFeatureGates();
const QUEUE = "kueue.x-k8s.io/queue-name";

describe("kueueAncestor", () => {
  const reference = (name: string) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    name,
    uid: name,
    controller: true,
  });
  const job = (name: string, owner?: string, queue = "") => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      uid: name,
      labels: { [QUEUE]: queue },
      ownerReferences: owner === undefined ? [] : [reference(owner)],
    },
  });
  const jobSet = { metadata: { name: "js", uid: "js", ownerReferences: [reference("a")] } };
  const on = { enabledFrameworks: ["batch/job"] };
  const findOwner = (owners: ReturnType<typeof job>[], config: object = on) => {
    const result = kueueAncestor(jobSet, owners, config);
    return result.ok ? result.value?.metadata?.name : result.refusal.message;
  };

  it("kueueAncestor returns the topmost owner with a queue and an enabled kind", () => {
    const owners = [job("a", "b", "q"), job("b", "c", "q"), job("c")];
    expect(findOwner(owners)).toBe("b");
    expect(findOwner(owners, { ...on, manageJobsWithoutQueueName: true })).toBe("c");
    expect(findOwner(owners, {})).toBeUndefined();
  });

  it("kueueAncestor stops at an owner that was replaced", () => {
    const replaced = { ...job("a", undefined, "q"), metadata: { name: "a", uid: "new" } };
    expect(kueueAncestor(jobSet, [replaced], on)).toEqual({ ok: true, value: undefined });
  });

  it("kueueAncestor fails if owners are missing, form a cycle or are too many", () => {
    expect(findOwner([])).toBe('workload owner not found\njobs.batch "a" not found');
    expect(findOwner([job("a", "b"), job("b", "a")])).toBe("cyclic ownership");
    const names = [..."abcdefghijkl"];
    const createOwnerChain = (count: number) =>
      names.slice(0, count).map((name, index) => job(name, names.slice(0, count)[index + 1]));
    expect(findOwner(createOwnerChain(10))).toBeUndefined();
    expect(findOwner(createOwnerChain(11))).toBe("managed owner chain limit reached");
  });
});

describe("defaultOnCreate", () => {
  const cluster = {
    namespaces: [{ metadata: { name: "ml", labels: { team: "a" } } }],
    localQueues: [{ metadata: { namespace: "ml", name: "default" } }],
    workloadPriorityClasses: [{ metadata: { name: "default" }, value: 1 }],
  };
  const createNamespaceSelector = (team: string) => ({
    managedJobsNamespaceSelector: { matchLabels: { team } },
  });
  const defaultInCluster = (jobSet: object, config: object, around: object = cluster) => {
    const result = defaultOnCreate(jobSet, around, config, features);
    return result.allowed ? result.jobSet : result.status;
  };

  it("defaultOnCreate sets queue and priority, and suspends the JobSet", () => {
    expect(
      defaultInCluster({ metadata: { namespace: "ml" } }, createNamespaceSelector("a")),
    ).toEqual({
      metadata: {
        namespace: "ml",
        labels: { [QUEUE]: "default", "kueue.x-k8s.io/priority-class": "default" },
      },
      spec: { suspend: true },
    });
  });

  it("defaultOnCreate suspends a JobSet with a queue even in a namespace that Kueue does not manage", () => {
    const jobSet = { metadata: { namespace: "ml", labels: { [QUEUE]: "q" } } };
    expect(defaultInCluster(jobSet, createNamespaceSelector("b"))).toHaveProperty("spec", {
      suspend: true,
    });
    expect(
      defaultInCluster({ metadata: { namespace: "ml" } }, createNamespaceSelector("b")),
    ).not.toHaveProperty("spec");
  });

  it("defaultOnCreate returns the API server's error for a missing namespace", () => {
    expect(
      defaultInCluster({ metadata: { namespace: "ml" } }, createNamespaceSelector("a"), {
        ...cluster,
        namespaces: [],
      }),
    ).toEqual({
      code: 404,
      reason: "NotFound",
      message: 'namespaces "ml" not found',
    });
  });
});

const message = (validation: ReturnType<typeof validateKueueCreate>) =>
  validation.allowed ? undefined : validation.status.message;

describe("validateKueueCreate", () => {
  const validateCreated = (metadata: object, annotations: object = {}, gates = {}) => {
    const template = { metadata: { annotations } };
    const spec = { replicatedJobs: [{ name: "w", template: { spec: { template } } }] };
    return message(
      validateKueueCreate({ metadata, spec } as object, resolveKueueFeatureGates(gates)),
    );
  };

  it("validateKueueCreate reports several errors at once, each of them once", () => {
    const labels = { "kueue.x-k8s.io/max-exec-time-seconds": "-1" };
    const annotations = { "kueue.x-k8s.io/elastic-job": "true" };
    expect(validateCreated({ labels, annotations })).toBe(
      '[metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]: Invalid value: -1: should be greater than 0, metadata.annotations[kueue.x-k8s.io/elastic-job]: Forbidden: elastic job is not supported for "jobset.x-k8s.io/v1alpha2, Kind=JobSet"]',
    );
  });

  it("validateKueueCreate reports only a topology annotation that cannot be parsed", () => {
    const labels = { [QUEUE]: "Bad" };
    const annotations = { "kueue.x-k8s.io/podset-unconstrained-topology": "maybe" };
    expect(validateCreated({ labels }, annotations)).toBe(
      'strconv.ParseBool: parsing "maybe": invalid syntax',
    );
  });

  it.each([
    ["a", 'Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")'],
    ["a.io/", 'Invalid value: "a.io/": must be a domain-prefixed path (such as "acme.io/foo")'],
    ["a.io/b, a.io/b", 'Invalid value: "a.io/b, a.io/b": duplicate gate name: a.io/b'],
    ["a.io/b,", 'Invalid value: "a.io/b,": cannot contain empty gate names'],
    [`a.io/${"b".repeat(60)}`, "Too long: may not be more than 63 bytes"],
  ])("validateKueueCreate rejects the admission gates %j", (gates, body) => {
    const annotations = { "kueue.x-k8s.io/admission-gated-by": gates };
    expect(validateCreated({ annotations })).toBe(
      `metadata.annotations[kueue.x-k8s.io/admission-gated-by]: ${body}`,
    );
  });

  it("validateKueueCreate rejects slices that are larger than all Pods together", () => {
    const annotations = {
      "kueue.x-k8s.io/podset-slice-required-topology-constraints": '[{"topology":"rack","size":2}]',
    };
    const path =
      "spec.replicatedJobs[0].template.spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-required-topology-constraints]";
    expect(validateCreated({}, annotations)).toBe(
      `${path}: Invalid value: 2: must not be greater than pod set count 1`,
    );
  });

  describe("slice sizes and Pod counts", () => {
    const CONSTRAINTS = "kueue.x-k8s.io/podset-slice-required-topology-constraints";
    const SIZE = "kueue.x-k8s.io/podset-slice-size";
    const REQUIRED = "kueue.x-k8s.io/podset-slice-required-topology";
    const annotationsPath = "spec.replicatedJobs[0].template.spec.template.metadata.annotations";
    const validateCreated = (counts: object, annotations: object, gates = {}) => {
      const { replicas, ...spec } = counts as { replicas?: number };
      const template = { spec: { ...spec, template: { metadata: { annotations } } } };
      const jobSet = { spec: { replicatedJobs: [{ name: "w", replicas, template }] } };
      return message(validateKueueCreate(jobSet as object, resolveKueueFeatureGates(gates)));
    };
    const sliceAboveCount = (key: string, size: string, count: number) =>
      `${annotationsPath}[${key}]: Invalid value: ${size}: must not be greater than pod set count ${count}`;

    it.each([
      [{ completions: -2 }],
      [{ parallelism: -1 }],
      [{ parallelism: 3, completions: -1 }],
      [{ replicas: -3 }],
      [{ replicas: 0 }],
      [{ replicas: 2 ** 31 - 1, parallelism: -(2 ** 31) }],
      [{ parallelism: 0, completions: 0 }],
    ])("validateKueueCreate admits %j without slice annotations", (counts) => {
      expect(validateCreated(counts, {})).toBeUndefined();
      expect(validateCreated(counts, { "kueue.x-k8s.io/podset-required-topology": "rack" })).toBe(
        undefined,
      );
    });

    it("validateKueueCreate compares an absent layer size as 0 with a negative Pod count", () => {
      const counts = { replicas: 2, completions: -2 };
      const text = '[{"topology":"rack"}]';
      expect(validateCreated(counts, { [CONSTRAINTS]: text })).toBe(
        `[${annotationsPath}[${CONSTRAINTS}][0].size: Invalid value: 0: must be greater than or equal to 1, ${sliceAboveCount(CONSTRAINTS, "0", -4)}]`,
      );
    });

    it.each(["", "[]", "null", "{", "[1]"])(
      "validateKueueCreate does not compare the constraints %j, which have no first layer",
      (text) => {
        const off = { TASMultiLayerTopology: false };
        expect(validateCreated({ completions: -2 }, { [CONSTRAINTS]: text }, off)).toBe(
          `${annotationsPath}[${CONSTRAINTS}]: Forbidden: the TASMultiLayerTopology feature gate must be enabled to use this annotation`,
        );
      },
    );

    it("validateKueueCreate compares a slice size with the int32 product of the counts", () => {
      const slices = (size: string) => ({ [REQUIRED]: "rack", [SIZE]: size });
      expect(validateCreated({ completions: -2 }, slices("1"))).toBe(
        sliceAboveCount(SIZE, '"1"', -2),
      );
      expect(validateCreated({ parallelism: 0 }, slices("1"))).toBe(
        sliceAboveCount(SIZE, '"1"', 0),
      );
      const wrapped = { replicas: 2 ** 31 - 1, completions: -2 };
      expect(validateCreated(wrapped, slices("2"))).toBeUndefined();
      expect(validateCreated(wrapped, slices("3"))).toBe(sliceAboveCount(SIZE, '"3"', 2));
    });

    it("validateKueueUpdate admits a negative Pod count without slice annotations", () => {
      const jobSet = {
        spec: { replicatedJobs: [{ name: "w", template: { spec: { completions: -2 } } }] },
      } as object;
      expect(message(validateKueueUpdate(jobSet, jobSet, [], features))).toBeUndefined();
    });
  });

  it("validateKueueCreate rejects a group with one Pod set", () => {
    const annotations = {
      "kueue.x-k8s.io/podset-group-name": "g",
      "kueue.x-k8s.io/podset-required-topology": "rack",
    };
    expect(validateCreated({}, annotations)).toContain(
      "can only define groups of exactly 2 pod sets, got: 1 pod set(s)",
    );
  });
});

describe("validateKueueUpdate", () => {
  const validateUpdated = (before: object, after: object, suspend = false, queues: object[] = []) =>
    message(
      validateKueueUpdate(
        { metadata: before, spec: { suspend } },
        { metadata: after, spec: { suspend } },
        queues,
        features,
      ),
    );
  const labels = (key: string, value: string) => ({ labels: { [`kueue.x-k8s.io/${key}`]: value } });

  it("validateKueueUpdate allows a queue change of a suspended JobSet but not of a running one", () => {
    const [before, after] = [labels("queue-name", "a"), labels("queue-name", "b")];
    expect(validateUpdated(before, after, true)).toBeUndefined();
    expect(validateUpdated(before, after)).toBe(
      'metadata.labels[kueue.x-k8s.io/queue-name]: Invalid value: "b": field is immutable',
    );
  });

  it("validateKueueUpdate reports an error of both the change and the result once", () => {
    const [before, after] = [
      labels("prebuilt-workload-name", "a"),
      labels("prebuilt-workload-name", "B"),
    ];
    const text = validateUpdated(before, after, true) ?? "";
    expect(text).toMatch(
      /^metadata\.labels\[kueue\.x-k8s\.io\/prebuilt-workload-name\]: Invalid value: "B": a lowercase/,
    );
  });

  it("validateKueueUpdate rejects the removal of a queue if there is a default queue", () => {
    const queues = [{ metadata: { name: "default" } }];
    expect(validateUpdated(labels("queue-name", "a"), {}, true, queues)).toContain(
      "queue-name must not be empty in namespace with default queue",
    );
  });

  it("validateKueueUpdate allows replacing a priority class, but not removing it or adding it to a running JobSet", () => {
    const [low, high] = [labels("priority-class", "low"), labels("priority-class", "high")];
    expect(validateUpdated(low, high)).toBeUndefined();
    expect(validateUpdated(low, {}, true)).toContain("cannot be removed from a workload");
    expect(validateUpdated({}, low)).toContain("cannot be added to a non-suspended workload");
    expect(validateUpdated({}, low, true)).toBeUndefined();
  });

  it("validateKueueUpdate allows the removal of admission gates but not their addition", () => {
    const gates = (value: string) => ({
      annotations: { "kueue.x-k8s.io/admission-gated-by": value },
    });
    expect(validateUpdated(gates("a.io/a,a.io/b"), gates("a.io/b"))).toBeUndefined();
    expect(validateUpdated(gates("a.io/a"), gates("a.io/a,a.io/b"))).toContain(
      "can only remove gates",
    );
    expect(validateUpdated({}, gates("a.io/a"))).toContain(
      "cannot add admission gate after creation",
    );
  });
});
