import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CopyButton } from '../../../ui/values/copy-button.tsx';
import { identifier } from '../../../ui/values/fact-values.tsx';
import { Facts, Identifier } from '../../../ui/values/facts.tsx';
import { CHANNEL_WORDS, type Transmission } from '../transmission-words.ts';

/** The numbers by which a transmission is known, and the record that it leads to. */
export function TransmissionFacts({ transmission }: { transmission: Transmission }) {
  const { kind, targetRegistryReference: target } = transmission;
  return (
    <Facts
      facts={[
        ['External transaction id', withCopy(transmission.externalTransactionId)],
        ['Organization', identifier(transmission.transmittingOrg.code)],
        ['Issuing insurer', orNull(transmission.issuingInsurerCode, identifier)],
        ['Record', orNull(transmission.registryReference, recordLink)],
        ['Policy number', orNull(transmission.policyNumber, identifier)],
        ['Certificate number', orNull(transmission.cocNumber, identifier)],
        ['Vehicles', transmission.vehicleCount.toLocaleString('en')],
        ['Channel', CHANNEL_WORDS[transmission.channel]],
        ['Error code', orNull(transmission.errorCode, identifier)],
        ...(kind === 'CREATE' ? [] : [['Record to change', orNull(target, recordLink)] as const]),
      ]}
    />
  );
}

export function RecordLink({ reference }: { reference: string }) {
  return (
    <Link href={`/records/${encodeURIComponent(reference)}`}>
      <Identifier>{reference}</Identifier>
    </Link>
  );
}

function orNull<Value>(value: Value | null, show: (value: Value) => ReactNode): ReactNode {
  return value === null ? null : show(value);
}

function recordLink(reference: string): ReactNode {
  return <RecordLink reference={reference} />;
}

function withCopy(externalTransactionId: string): ReactNode {
  return (
    <>
      <Identifier>{externalTransactionId}</Identifier>{' '}
      <CopyButton text={externalTransactionId} what="external transaction id" />
    </>
  );
}
