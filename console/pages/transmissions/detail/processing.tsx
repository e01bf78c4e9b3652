import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { exactTime, identifier, nameOf } from '../../../ui/values/fact-values.tsx';
import { Facts } from '../../../ui/values/facts.tsx';
import { SendAgain } from '../../queue/parked/send-again.tsx';
import type { Transmission } from '../transmission-words.ts';

/** How workers processed it: for whoever is on call. */
export function Processing({ transmission }: { transmission: Transmission }) {
  const { transmissionReference, parkedAt, attempts, failures, lastError, apiClient, dueAt } =
    transmission;
  return (
    <>
      {parkedAt === null ? null : (
        <div className="alert alert-warning">
          <p>
            Parked after its last retry. No worker takes it until somebody sends it again.{' '}
            <Link href="/queue/parked">All parked transmissions</Link>
          </p>
          <SendAgain transmissionReference={transmissionReference} />
        </div>
      )}
      <Facts
        facts={[
          ['Attempts', attempts.toLocaleString('en')],
          ['Faults of the service', failures.toLocaleString('en')],
          ['Last fault', lastError],
          ['Received', exactTime(transmission.receivedAt)],
          ['Completed', exactTime(transmission.completedAt)],
          ['Next attempt, or end of the lease', exactTime(dueAt)],
          ['Parked', exactTime(parkedAt)],
          ['Sent by', nameOf(transmission.actor)],
          ['API client', clientLink(apiClient)],
          ['Request', identifier(transmission.requestId)],
          ['Ignored members of the body', transmission.unknownFields.join(', ')],
        ]}
      />
    </>
  );
}

function clientLink(client: Transmission['apiClient']): ReactNode {
  return client === null ? null : (
    <Link href={`/clients/${client.id}`}>
      <bdi>{client.name}</bdi>
    </Link>
  );
}
