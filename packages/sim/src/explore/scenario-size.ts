/** The maximum size of a random scenario. */
export interface ScenarioSize {
  readonly replicatedJobs: number;
  readonly replicas: number;
  readonly pods: number;
  readonly faults: number;
  readonly actions: number;
}

/** The default size. */
export const SMALL: ScenarioSize = {
  replicatedJobs: 3,
  replicas: 3,
  pods: 3,
  faults: 10,
  actions: 3,
};
