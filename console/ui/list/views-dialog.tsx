import { SubmitButton } from '../form/submit-button.tsx';
import { TextField } from '../form/text-field.tsx';
import { useSubmit } from '../form/use-submit.ts';
import { CopyButton } from '../values/copy-button.tsx';
import type { SavableSearch, SavedView } from './savable.ts';

const NAME_CHARACTERS_MAX = 40;

interface ViewsDialogProps {
  readonly path: string;
  /** The filters of the list as it is now. */
  readonly present: SavableSearch;
  readonly views: readonly SavedView[];
  readonly onChange: (views: readonly SavedView[]) => void;
  readonly onClose: () => void;
}

/** Saves the present filters, and lists the saved ones. */
export function ViewsDialog({ path, present, views, onChange, onClose }: ViewsDialogProps) {
  const { submit, isPending } = useSubmit(async (field) => {
    const name = field('name').trim();
    if (name === '') return;
    const others = views.filter((view) => view.name !== name);
    onChange([...others, { name, search: present.search }]);
    onClose();
  });
  return (
    <>
      {present.left.length === 0 ? null : (
        <p className="alert alert-info">
          Not part of a view, because it may identify a person:{' '}
          {present.left.map(nameInWords).join(', ')}.
        </p>
      )}
      <form onSubmit={submit}>
        <TextField
          label="Save the present filters as"
          hint="Kept in this browser only. Do not use the name of a person."
          name="name"
          maxLength={NAME_CHARACTERS_MAX}
          autoComplete="off"
          required
        />
        <div className="buttons">
          <SubmitButton isPending={isPending}>Save</SubmitButton>
          <span className="quiet">
            Link to these filters:{' '}
            <CopyButton text={linkOf(path, present.search)} what="link to these filters" />
          </span>
        </div>
      </form>
      <ul className="views-list">
        {views.map((view) => (
          <li key={view.name} className="row">
            <bdi>{view.name}</bdi>
            <span className="view-actions">
              <span className="quiet">Link:</span>
              <CopyButton text={linkOf(path, view.search)} what={`link to ${view.name}`} />
              <button
                type="button"
                className="link"
                onClick={() => onChange(views.filter((one) => one !== view))}
              >
                Delete<span className="hidden"> {view.name}</span>
              </button>
            </span>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

/** plateNumber → plate number */
function nameInWords(filter: string): string {
  return filter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function linkOf(path: string, search: string): string {
  return `${location.origin}/console${path}${search}`;
}
