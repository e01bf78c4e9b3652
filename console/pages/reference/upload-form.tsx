import { IMPORT_BYTES_MAX, REFERENCE_COLUMNS } from 'virtual:contract';
import { type ChangeEvent, type FormEvent, useId, useState } from 'react';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { checkHeading, readFirstLine } from './heading.ts';
import { sizeInWords } from './import-words.ts';
import { useUpload } from './use-upload.ts';

interface ChosenFile {
  readonly file: File;
  /** What is wrong with it, a sentence each. */
  readonly flaws: readonly string[];
}

/** Checks the heading of a file, which takes only its first line, and then uploads it. */
export function UploadForm() {
  const [chosen, setChosen] = useState<ChosenFile>();
  const { send, stop, error, isPending } = useUpload();
  const id = useId();

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = target.files?.[0];
    setChosen(file === undefined ? undefined : { file, flaws: await checkFile(file) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen !== undefined && chosen.flaws.length === 0 && !isPending) send(chosen.file);
  };
  const flaws = chosen?.flaws ?? [];
  return (
    <form className="upload" onSubmit={submit}>
      <p className="hint">
        A CSV file in UTF-8 of at most {sizeInWords(IMPORT_BYTES_MAX)} with the columns{' '}
        <code>{REFERENCE_COLUMNS.join(', ')}</code>, in any order. The vehicles of each region in
        the file replace all that the region has. A region with an error in the file does not
        change.
      </p>
      <ErrorAlert error={error} />
      <div className="field">
        <label htmlFor={id}>File</label>
        {flaws.length === 0 ? null : (
          <div className="field-error" id={`${id}-error`} role="alert">
            {flaws.map((flaw) => (
              <p key={flaw}>{flaw}</p>
            ))}
          </div>
        )}
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          required
          disabled={isPending}
          aria-invalid={flaws.length === 0 ? undefined : true}
          aria-describedby={flaws.length === 0 ? undefined : `${id}-error`}
          onChange={(event) => void choose(event)}
        />
      </div>
      <div role="status">
        {chosen === undefined || flaws.length > 0 ? null : (
          <p className="hint">
            {isPending ? 'Sending' : 'The heading is right:'} {sizeInWords(chosen.file.size)}
            {isPending ? '…' : '.'}
          </p>
        )}
      </div>
      {isPending ? <progress aria-label="Sending the file" /> : null}
      <div className="buttons">
        <SubmitButton isPending={isPending}>Upload and import</SubmitButton>
        {isPending ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : null}
      </div>
    </form>
  );
}

async function checkFile(file: File): Promise<string[]> {
  if (file.size > IMPORT_BYTES_MAX)
    return [`The file has ${sizeInWords(file.size)}. Split it by region.`];
  try {
    return checkHeading(await readFirstLine(file), REFERENCE_COLUMNS);
  } catch {
    return ['The file is not text in UTF-8.'];
  }
}
