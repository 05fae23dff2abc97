/** The flags that select a cluster and a user, and are passed to kubectl unchanged. */
export interface KubectlFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly user?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly requestTimeout?: string;
}

/** Returns the flags as arguments of kubectl. */
export function createArgs({
  kubeconfig,
  context,
  user,
  as,
  asGroup = [],
  requestTimeout,
}: KubectlFlags): readonly string[] {
  const flags = { kubeconfig, context, user, as, "request-timeout": requestTimeout };
  return [
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
    ...asGroup.map((group) => `--as-group=${group}`),
  ];
}
