import { Fragment, memo, useCallback, useId, useState } from "react";
import type { JobSetRow } from "../model/jobset-rows.ts";
import { JobSetDiagnosis } from "./jobset-diagnosis.tsx";
import type { Observation } from "./observation.ts";

/** A table with a row for each JobSet. The diagnosis of the selected JobSet is shown below its row. */
export function JobSetTable({
  rows,
  observation,
}: {
  readonly rows: readonly JobSetRow[];
  readonly observation: Observation;
}) {
  const [chosen, setChosen] = useState<string>();
  const toggle = useCallback(
    (key: string) => setChosen((old) => (old === key ? undefined : key)),
    [],
  );
  const detailsId = useId();
  return (
    <table>
      <caption>JobSets, those in trouble first. A name opens the diagnosis.</caption>
      <thead>
        <tr>
          {columns.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = `${row.namespace}/${row.name}`;
          const isOpen = key === chosen;
          return (
            <Fragment key={key}>
              <Row
                row={row}
                rowKey={key}
                detailsId={isOpen ? detailsId : undefined}
                onToggle={toggle}
              />
              {isOpen && (
                <tr>
                  <td colSpan={columns.length} id={detailsId}>
                    <JobSetDiagnosis
                      namespace={row.namespace}
                      name={row.name}
                      observation={observation}
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

const columns = ["Namespace", "Name", "Phase", "Why", "Ready Pods", "Restarts"];

/** Memoized, because there may be thousands of rows. */
const Row = memo(
  function Row({
    row: { namespace, name, phase, why, pods, restarts },
    rowKey,
    detailsId,
    onToggle,
  }: {
    readonly row: JobSetRow;
    readonly rowKey: string;
    /** The ID of the open details below the row. */
    readonly detailsId: string | undefined;
    readonly onToggle: (key: string) => void;
  }) {
    return (
      <tr className="jobset">
        <td>{namespace}</td>
        <th scope="row">
          <button
            type="button"
            aria-expanded={detailsId !== undefined}
            aria-controls={detailsId}
            onClick={() => onToggle(rowKey)}
          >
            {name}
          </button>
        </th>
        <td className={`phase-${phase}`}>{phase}</td>
        <td>{why}</td>
        <td>{pods}</td>
        <td>{restarts}</td>
      </tr>
    );
  },
  (before, after) =>
    before.detailsId === after.detailsId &&
    before.onToggle === after.onToggle &&
    (Object.keys(before.row) as (keyof JobSetRow)[]).every(
      (member) => before.row[member] === after.row[member],
    ),
);
