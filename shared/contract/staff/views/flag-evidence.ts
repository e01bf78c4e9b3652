import { z } from 'zod';
import { FlagStatus, IdentifierKind } from '../../enums.ts';
import { Finding } from '../../findings.ts';
import { RecordSummary, RecordVehicle } from '../../machine/record.ts';
import { AuditAction, Role } from '../../staff.ts';
import type { StaffEndpoint } from '../endpoint.ts';
import { FlagItem } from '../flags.ts';
import { ReferenceRegion, ReferenceVehicle } from '../reference.ts';
import { Vehicle, VehicleCover } from './vehicles.ts';

/** The limits of one answer (D74). */
export const MATCHED_VEHICLES_MAX = 20;
export const MATCHED_COVERS_MAX = 20;
export const FLAG_EVENTS_MAX = 50;

const MatchedCover = VehicleCover.extend({ operatorName: z.string() }).meta({ id: 'MatchedCover' });

export const MatchedVehicle = Vehicle.extend({
  covers: z.array(MatchedCover),
  isFlagged: z.boolean().describe('Whether it is the vehicle of the flag.'),
  shared: z
    .array(IdentifierKind)
    .describe('The identifiers of the flagged vehicle that it has or had.'),
}).meta({ id: 'MatchedVehicle' });
export type MatchedVehicle = z.infer<typeof MatchedVehicle>;

export const ComparedReferenceVehicle = ReferenceVehicle.extend({
  agreeing: z.array(IdentifierKind),
  differing: z
    .array(IdentifierKind)
    .describe('An identifier that is not on file neither agrees nor differs.'),
}).meta({ id: 'ComparedReferenceVehicle' });
export type ComparedReferenceVehicle = z.infer<typeof ComparedReferenceVehicle>;

/** An audited act on the flag, as every reviewer may see it: without address and request. */
export const FlagEvent = z
  .strictObject({
    at: z.iso.datetime(),
    action: AuditAction,
    actor: z.strictObject({ email: z.string().nullable(), role: Role.nullable() }),
    status: FlagStatus.nullable().describe('The status that the act gave the flag, if any.'),
    notes: z.string().nullable(),
  })
  .meta({ id: 'FlagEvent' });
export type FlagEvent = z.infer<typeof FlagEvent>;

export const FlagEvidence = z
  .strictObject({
    flag: FlagItem,
    record: RecordSummary.describe('The flagged record as it is now.'),
    vehicle: RecordVehicle.nullable().describe(
      'The flagged vehicle as the record has it now or had it last, and as it was transmitted. Null for a flag without a vehicle.',
    ),
    matchedVehicles: z
      .array(MatchedVehicle)
      .describe(
        `The registered vehicles that the identifiers matched, the flagged one too: at most ${MATCHED_VEHICLES_MAX}, each with its latest ${MATCHED_COVERS_MAX} covers.`,
      ),
    referenceRegion: ReferenceRegion.nullable().describe(
      'The reference data of the region of the flag; null when it has none.',
    ),
    referenceVehicles: z
      .array(ComparedReferenceVehicle)
      .describe(
        'The reference vehicles of any region that have one of the identifiers, as the reference data is now.',
      ),
    findings: z
      .array(Finding)
      .describe('The findings of level 4 about the vehicle when the flag was raised.'),
    events: z
      .array(FlagEvent)
      .describe(`The audited acts on the flag, the oldest first: the latest ${FLAG_EVENTS_MAX}.`),
  })
  .meta({ id: 'FlagEvidence' });
export type FlagEvidence = z.infer<typeof FlagEvidence>;

export const FLAG_EVIDENCE_ENDPOINTS = {
  readFlagEvidence: {
    method: 'GET',
    path: '/admin/v1/flags/{flagId}/evidence',
    authentication: 'session',
    permission: 'flags:read',
    summary: "Read a flag's evidence",
    description:
      'All that a reviewer compares, in one answer: the flagged record and vehicle, the matched vehicles with their covers, the reference vehicles, the findings and the history.',
    params: z.object({ flagId: z.uuid() }),
    replies: { 200: { description: 'The evidence.', data: FlagEvidence } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
