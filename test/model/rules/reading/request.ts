import type { CoverageStatus, IdentifierKind } from '../../../../shared/contract/enums.ts';
import type { AmendmentBody } from '../../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import type { ClientName } from '../organizations.ts';

/** A request of a client. Keys identify records and transmissions. */
export type Request =
  | { readonly op: 'transmit'; readonly client: ClientName; readonly body: TransmissionBody }
  | Submitting<'amend', AmendmentBody>
  | Submitting<'cancel', CancellationBody>
  | { readonly op: 'read'; readonly client: ClientName; readonly target: string }
  | {
      readonly op: 'lookup';
      readonly client: ClientName;
      readonly transmission: string;
      readonly by: 'reference' | 'externalTransactionId';
    }
  | {
      readonly op: 'search';
      readonly client: ClientName;
      readonly criteria: Criteria;
      readonly status: CoverageStatus | undefined;
    }
  | {
      readonly op: 'coverage';
      readonly client: ClientName;
      readonly identifier: string;
      readonly asOf: string | undefined;
    };

export interface Submitting<Op extends 'amend' | 'cancel', Body> {
  readonly op: Op;
  readonly client: ClientName;
  readonly target: string;
  readonly body: Body;
}

export type SubmittingRequest = Extract<Request, { readonly body: object }>;

export type Criteria = Partial<Record<IdentifierKind | 'policyNumber' | 'cocNumber', string>>;
