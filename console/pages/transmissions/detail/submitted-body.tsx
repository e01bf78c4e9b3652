import { useState } from 'react';
import { call } from '../../../api/call.ts';
import type { DataOf } from '../../../api/contract.ts';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session-context.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Table } from '../../../ui/table.tsx';
import { Facts, Identifier } from '../../../ui/values/facts.tsx';
import { type BodyPart, type BodyValue, columnsOf, partsOf } from './body-parts.ts';

type Body = DataOf<'readTransmissionBody'>;

/**
 * The submitted body, with personal data masked. Revealed personal data is only in the state of this component, never in the
 * cache of answers, so it is gone when the tab or the page is left.
 */
export function SubmittedBody({ transmissionReference }: { transmissionReference: string }) {
  const params = { transmissionReference };
  const { data: masked, error, refetch } = useRead('readTransmissionBody', { params });
  const [revealed, setRevealed] = useState<Body>();
  const mayReveal = useMay('personal-data:read');
  const shown = revealed ?? masked;
  if (shown === undefined)
    return error === null ? (
      <p className="loading">Loading the body…</p>
    ) : (
      <ErrorAlert error={error} onRetry={() => void refetch()} />
    );
  const reveal = async (): Promise<void> =>
    setRevealed(await call('readTransmissionBody', { params, query: { personalData: 'plain' } }));
  return (
    <>
      <div className="page-heading">
        <p className="quiet">
          As submitted, without members that the registry does not know. Personal data is{' '}
          {revealed === undefined ? 'masked' : 'shown'}.
        </p>
        {revealed === undefined ? null : (
          <button type="button" onClick={() => setRevealed(undefined)}>
            Hide personal data
          </button>
        )}
        {revealed === undefined && mayReveal ? (
          <Confirm action="Reveal personal data" title="Reveal personal data?" onConfirm={reveal}>
            <p>
              The audit log keeps that you read the personal data of this transmission, and when.
            </p>
          </Confirm>
        ) : null}
      </div>
      {partsOf(shown.body).map((part) => (
        <section key={part.path}>
          <h2>{part.path === '' ? 'Transmission' : <code>{part.path}</code>}</h2>
          <Part part={part} />
        </section>
      ))}
    </>
  );
}

function Part({ part: { path, values, rows } }: { part: BodyPart }) {
  if (rows === null) return <Facts facts={values.map(([name, text]) => [name, valueCell(text)])} />;
  const numbered = rows.map((row, index) => ({ number: index + 1, row }));
  return (
    <Table
      label={path}
      rows={numbered}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: 'Number', cell: ({ number }) => number },
        ...columnsOf(rows).map((name) => ({
          title: name === '' ? 'Value' : name,
          cell: ({ row }: { row: readonly BodyValue[] }) =>
            valueCell(row.find(([one]) => one === name)?.[1] ?? null),
        })),
      ]}
    />
  );
}

function valueCell(text: string | null) {
  return <Identifier>{text}</Identifier>;
}
