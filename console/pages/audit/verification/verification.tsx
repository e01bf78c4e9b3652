import { useState } from 'react';
import { call } from '../../../api/call.ts';
import type { DataOf } from '../../../api/contract.ts';
import { messagesOf } from '../../../api/errors.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useSubmit } from '../../../ui/form/use-submit.ts';
import { CopyButton } from '../../../ui/values/copy-button.tsx';
import { Identifier } from '../../../ui/values/facts.tsx';
import { describeVerification } from './verification-words.ts';

interface Verified {
  readonly result: DataOf<'verifyAudit'>;
  readonly wasCompared: boolean;
}

/** Each entry holds the hash of the one before. The registry recomputes them when it is asked to. */
export function Verification() {
  const [verified, setVerified] = useState<Verified>();
  const { error, isPending, submit } = useSubmit(async (field) => {
    const expect = field('expect').trim();
    const query = expect === '' ? {} : { expect };
    setVerified(undefined);
    setVerified({
      result: await call('verifyAudit', { query }),
      wasCompared: expect !== '',
    });
  });
  const [refused] = messagesOf(error, 'expect');
  return (
    <>
      <p>
        Each entry of the audit log contains the hash of the entry before it, and the last one is
        sealed with a key. A verification shows whether an entry was changed or removed.
      </p>
      <form className="verification" onSubmit={submit}>
        <TextField
          label="Head of an earlier verification (optional)"
          hint="The registry then also checks that the log still contains it."
          name="expect"
          className="identifier"
          autoComplete="off"
          spellCheck={false}
          error={refused}
        />
        <div className="buttons">
          <SubmitButton isPending={isPending}>Verify the log</SubmitButton>
          <span className="quiet" role="status">
            {isPending ? 'Verifying…' : ''}
          </span>
        </div>
      </form>
      {refused === undefined ? <ErrorAlert error={error} /> : null}
      {verified === undefined ? null : <Result verified={verified} />}
    </>
  );
}

function Result({ verified: { result, wasCompared } }: { verified: Verified }) {
  const { tone, title, text } = describeVerification(result, wasCompared);
  const head = result.head === null ? null : `${result.head.sequence}:${result.head.hash}`;
  return (
    <div className={`alert alert-${tone}`} role={tone === 'good' ? 'status' : 'alert'}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
      {head === null || result.head?.sequence === 0 ? null : (
        <p>
          Head of the log: <Identifier>{head}</Identifier> <CopyButton text={head} what="head" />
          <br />
          Keep it outside the registry. The next verification can compare the log with it.
        </p>
      )}
    </div>
  );
}
