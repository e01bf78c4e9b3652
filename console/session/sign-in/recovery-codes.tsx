import { CopyButton } from '../../ui/values/copy-button.tsx';

/** Recovery codes, which no later answer shows again. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  codes: readonly string[];
  onSaved: () => void;
}) {
  return (
    <>
      <p>
        Without the authenticator app, one of these codes signs you in. Each works once. They are
        not shown again.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="recovery-actions no-print">
        <CopyButton text={codes.join('\n')} what="recovery codes" />
        <button type="button" className="link" onClick={() => window.print()}>
          Print
        </button>
      </p>
      <div className="buttons no-print">
        <button type="button" className="primary" onClick={onSaved}>
          I have saved them
        </button>
      </div>
    </>
  );
}
