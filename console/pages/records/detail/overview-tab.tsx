import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../../api/contract.ts';
import { Facts, Identifier } from '../../../ui/values/facts.tsx';
import { When } from '../../../ui/values/when.tsx';
import { countOf, inWords } from '../../../words.ts';

type RecordDetail = DataOf<'readRecord'>;

/** The record as it is now. Personal data of the operator is masked. */
export function OverviewTab({ record }: { record: RecordDetail }) {
  const { policy, operator, cancellation } = record;
  return (
    <>
      {cancellation === null ? null : <Cancellation cancellation={cancellation} />}
      <Part title="Certificate of cover">
        <Facts
          facts={[
            ['Certificate number', <Identifier key="coc">{record.cocNumber}</Identifier>],
            ['Effective', record.effectiveDate],
            ['Expires', record.expirationDate],
            ['Lifecycle', inWords(record.lifecycle)],
            ['Vehicles', countOf(record.vehicleCount, 'vehicle')],
            ['Registered', <When key="at" at={record.registeredAt} isExact />],
            ['Verification reference of the insurer', record.insurerVerificationRef],
          ]}
        />
      </Part>
      <Part title="Policy">
        <Facts
          facts={[
            ['Policy number', <Identifier key="policy">{policy.policyNumber}</Identifier>],
            ['Issued', policy.issuanceDate],
            ['Coverage type', inWords(policy.coverageType)],
            ['Premium', policy.premiumAmount],
            ['Official receipt', policy.officialReceiptNumber],
            ['Remarks', textOf(policy.remarks)],
          ]}
        />
      </Part>
      <Part title="Organizations">
        <Facts
          facts={[
            ['Issuing insurer', <Organization key="insurer" one={record.issuingInsurer} />],
            ['Transmitted by', <Organization key="transmitter" one={record.transmittingOrg} />],
            ['Pool', organizationOf(record.pool)],
            ['Lead insurer', organizationOf(policy.leadInsurer)],
            ['Management company', organizationOf(policy.managementCompany)],
          ]}
        />
      </Part>
      <Part title="Operator">
        <Facts
          facts={[
            ['Name', textOf(operator.name)],
            ['Type', inWords(operator.operatorType)],
            ['Business name', textOf(operator.businessName)],
            ['Region', operator.region],
            ['Address', textOf(operator.address)],
            ['Taxpayer number', operator.tinMasked],
            ['E-mail address', operator.contactEmailMasked],
            ['Telephone', operator.contactPhoneMasked],
            ['Case number', operator.caseNumber],
            ['CPC number', operator.cpcNumber],
            ['Franchise number', operator.franchiseNumber],
          ]}
        />
      </Part>
      <p className="quiet">{record.disclaimer}</p>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="part-title">{title}</h2>
      {children}
    </section>
  );
}

function Cancellation({
  cancellation,
}: {
  cancellation: NonNullable<RecordDetail['cancellation']>;
}) {
  return (
    <Part title="Cancellation">
      <Facts
        facts={[
          ['Effective', cancellation.cancellationEffectiveDate],
          ['Reason', inWords(cancellation.reasonCode)],
          ['In words', textOf(cancellation.reasonText)],
          ['Supporting reference', textOf(cancellation.supportingReference)],
          ['By', <Organization key="by" one={cancellation.organization} />],
          ['Transmitted', <When key="at" at={cancellation.createdAt} isExact />],
        ]}
      />
    </Part>
  );
}

type OrganizationSummary = RecordDetail['issuingInsurer'];

function Organization({ one: { id, name, code } }: { one: OrganizationSummary }) {
  return (
    <>
      <Link href={`/organizations/${id}`}>
        <bdi>{name}</bdi>
      </Link>{' '}
      <span className="quiet">{code}</span>
    </>
  );
}

function organizationOf(one: OrganizationSummary | null): ReactNode {
  return one === null ? null : <Organization one={one} />;
}

/** Text that somebody wrote, in its own direction. */
function textOf(text: string | null): ReactNode {
  return text === null || text === '' ? null : <bdi>{text}</bdi>;
}
