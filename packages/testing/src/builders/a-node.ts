import type { Node } from "@jobset-ts/api/kubernetes";
import { type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A node for tests. */
export type ANode = Node & ObjectBuilder<ANode>;

/**
 * Creates a node without labels and taints.
 *
 * @example aNode("n1").metadata.name // => "n1"
 */
export function aNode(name: string): ANode {
  return fluent({ apiVersion: "v1", kind: "Node", metadata: { name, uid: `${name}-uid` } });
}

const fluent = withBuilderMethods<Node, ANode>({});
