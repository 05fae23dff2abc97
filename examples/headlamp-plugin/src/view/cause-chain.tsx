import { type KeyboardEvent, useId, useMemo, useState } from "react";
import {
  BOX_WIDTH,
  type ChainBox,
  chainDrawing,
  HEADING_BASELINE,
  PADDING,
} from "../model/chain-drawing.ts";
import type { ReportedCause } from "../model/reported-cause.ts";

/**
 * Draws the chain from a root cause to its symptoms. A box can be selected with the mouse, or with Tab and Enter or
 * Space. The evidence of the selected finding is shown below the drawing.
 */
export function CauseChain({ cause }: { readonly cause: ReportedCause }) {
  const { width, height, boxes, arrows } = useMemo(() => chainDrawing(cause), [cause]);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const shown = boxes[chosen] ?? boxes[0];
  return (
    <figure aria-label="Chain from the root cause to its effects">
      <svg viewBox={`-2 -2 ${width + 4} ${height + 4}`} width={width} style={{ maxWidth: "100%" }}>
        <title>Chain from the root cause to its effects</title>
        <defs>
          <marker
            id={`${id}-tip`}
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M 0 0 L 8 4 L 0 8 z" fill="currentColor" />
          </marker>
        </defs>
        {arrows.map(({ path, isIndirect }) => (
          <path
            key={path}
            className={isIndirect ? "arrow indirect" : "arrow"}
            d={path}
            markerEnd={`url(#${id}-tip)`}
          />
        ))}
        {boxes.map((box, at) => (
          <Box
            key={`${box.x} ${box.y}`}
            box={box}
            isChosen={box === shown}
            evidenceId={`${id}-evidence`}
            onChoose={() => setChosen(at)}
          />
        ))}
      </svg>
      <div id={`${id}-evidence`} className="evidence" aria-live="polite">
        <p>{shown?.finding.text}</p>
        {shown?.finding.isDoubtful && <p>The lists may be of different instants.</p>}
        <ul>
          {shown?.finding.evidence.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

function Box({
  box: { finding, part, label, lines, x, y, height },
  isChosen,
  evidenceId,
  onChoose,
}: {
  readonly box: ChainBox;
  readonly isChosen: boolean;
  readonly evidenceId: string;
  readonly onChoose: () => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // Prevents scrolling by the space bar.
    onChoose();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
    <g
      role="button"
      tabIndex={0}
      className={`box ${part}`}
      aria-label={label}
      aria-pressed={isChosen}
      aria-controls={evidenceId}
      transform={`translate(${x} ${y})`}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <rect width={BOX_WIDTH} height={height} rx="6" />
      <text className="heading" x={PADDING} y={HEADING_BASELINE}>
        {part === "root" ? `root cause: ${finding.id}` : finding.id}
      </text>
      {lines.map(({ text, baseline }) => (
        <text key={baseline} x={PADDING} y={baseline}>
          {text}
        </text>
      ))}
    </g>
  );
}
