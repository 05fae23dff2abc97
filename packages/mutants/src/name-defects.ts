import type { Defect } from "./defect.ts";

/** Defects of webhooks for JobSets that are about names: of a JobSet that has none yet, and of coordinators. */
export const nameDefects: readonly Defect[] = [
  {
    row: "own N01",
    what: "a coordinator's address is checked with index 0",
    laws: "jobSets",
    by: "coordinatorsWillExist",
    changes: [
      {
        file: "admission/src/jobset/coordinator-rules.ts",
        from: "  const subdomain = namesText(",
        to: "  jobIndex = 0; podIndex = 0;\n  const subdomain = namesText(",
      },
    ],
  },
  {
    row: "own N02",
    what: "a coordinator's address is checked with the JobSet's name",
    laws: "jobSets",
    by: "coordinatorsWillExist",
    changes: [
      {
        file: "admission/src/jobset/coordinator-rules.ts",
        from: "const subdomain = namesText(spec.network?.subdomain) || name;",
        to: "const subdomain = name;",
      },
    ],
  },
  {
    row: "own N03",
    what: "a new JobSet without a name gets no defaults",
    laws: "jobSets",
    by: "newJobSetsGetDefaults",
    changes: [
      {
        file: "admission/src/jobset/mutate-jobset.ts",
        from: 'if (operation !== "CREATE") {',
        to: 'if (operation !== "CREATE" || !object?.metadata?.name) {',
      },
    ],
  },
  {
    row: "own N04",
    what: "generateName goes before the name",
    laws: "jobSets",
    by: "existingClaimsAreTakenUp",
    changes: [
      {
        file: "admission/src/jobset/jobset-view.ts",
        from: 'return name !== "" || generateName === "" ? name',
        to: 'return generateName === "" ? name',
      },
    ],
  },
  {
    row: "own N05",
    what: "generateName is the name",
    laws: "jobSets",
    by: "namesFit",
    changes: [
      {
        file: "admission/src/jobset/jobset-view.ts",
        from: 'return name !== "" || generateName === "" ? name : generatedName(generateName, suffix);',
        to: "return generateName || name;",
      },
    ],
  },
  {
    row: "own N06",
    what: "a name is given to a JobSet that has none",
    laws: "jobSets",
    by: "whatIsGivenStays",
    changes: [
      {
        file: "admission/src/jobset/mutate-jobset.ts",
        from: "const answer = defaultJobSetRequest(object);",
        to: "const { generateName, name = generateName } = object?.metadata ?? {};\n  const answer = defaultJobSetRequest(name ? { ...object, metadata: { ...object.metadata, name } } : object);",
      },
    ],
  },
];
