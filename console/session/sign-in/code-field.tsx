import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../ui/form/text-field.tsx';

/** The field for a code of the authenticator app, or, for somebody without the app, for a recovery code. */
export function CodeField({
  error,
  isEnrolling = false,
}: {
  error?: string;
  isEnrolling?: boolean;
}) {
  const [isRecovery, setIsRecovery] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // autoFocus would be too early in a dialog above another one, which would take the focus back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of the two fields takes the focus when it appears
  useEffect(() => field.current?.focus(), [isRecovery]);
  return (
    <>
      {isRecovery ? (
        <TextField
          key="recovery"
          name="code"
          label="Recovery code"
          hint="One of the codes that you saved when you enrolled. Each works once."
          error={error}
          autoComplete="off"
          className="code"
          required
          ref={field}
        />
      ) : (
        <TextField
          key="totp"
          name="code"
          label="Code"
          hint="The 6 digits that your authenticator app shows now."
          error={error}
          autoComplete="one-time-code"
          inputMode="numeric"
          className="code code-short"
          required
          ref={field}
        />
      )}
      {isEnrolling ? null : (
        <button type="button" className="link" onClick={() => setIsRecovery(!isRecovery)}>
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code instead'}
        </button>
      )}
    </>
  );
}
