interface VersionConflictProps {
  /** The fields in which your values differ from what is stored now, as text. */
  readonly fields: readonly {
    readonly label: string;
    readonly read: string;
    readonly now: string;
    readonly yours: string;
  }[];
  readonly onUseTheirs: () => void;
  readonly onApplyMine: () => void;
}

/** Somebody saved the object after this form had read it. Nothing is overwritten before the user chooses. */
export function VersionConflict({ fields, onUseTheirs, onApplyMine }: VersionConflictProps) {
  return (
    <div role="alert" className="alert alert-warning">
      <p>
        <strong>Somebody else has changed this meanwhile.</strong> Your change was not saved.
      </p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">You read</th>
            <th scope="col">Now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ label, read, now, yours }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <bdi>{read}</bdi>
              </td>
              <td>
                <bdi>{now}</bdi>
              </td>
              <td>
                <bdi>{yours}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="buttons">
        <button type="button" onClick={onUseTheirs}>
          Use theirs
        </button>
        <button type="button" className="primary" onClick={onApplyMine}>
          Apply mine to the new version
        </button>
      </div>
    </div>
  );
}
