// Advice that several checks share.

export const INSPECT_LEADER = "inspect the leader pod, not the follower's node selector";
export const AWAIT_RETRY = "wait until the Job controller retries";
