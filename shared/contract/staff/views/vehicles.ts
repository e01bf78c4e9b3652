import { z } from 'zod';
import {
  CoverageStatus,
  Denomination,
  IdentifierKind,
  Lifecycle,
  VehicleType,
} from '../../enums.ts';
import { PageQuery, pageOf } from '../../machine/paging.ts';
import { OrganizationSummary } from '../../machine/record.ts';
import { text } from '../../text.ts';
import type { StaffEndpoint } from '../endpoint.ts';

/** The newest covers and the identifiers that a vehicle shows (D75). */
export const VEHICLE_COVERS_MAX = 200;
export const VEHICLE_IDENTIFIERS_MAX = 200;

const identifiers = {
  plateNumber: z.string(),
  mvFileNumber: z.string(),
  engineNumber: z.string(),
  chassisNumber: z.string(),
};

const itemFields = {
  id: z.guid(),
  ...identifiers,
  make: z.string().nullable(),
  model: z.string().nullable(),
  yearModel: z.int().nullable(),
  vehicleType: VehicleType,
  denomination: Denomination,
  coverCount: z.int().min(0).describe('The covers of all times.'),
};

/** A canonical vehicle (D10) as it was registered last. */
export const VehicleItem = z.strictObject(itemFields).meta({ id: 'VehicleItem' });
export type VehicleItem = z.infer<typeof VehicleItem>;

export const VehicleIdentifier = z
  .strictObject({
    kind: IdentifierKind,
    value: z.string(),
    isCurrent: z.boolean(),
    firstDay: z.iso
      .date()
      .nullable()
      .describe('The first day of the listed covers that have the identifier; null without one.'),
    lastDay: z.iso.date().nullable().describe('The last of these days.'),
  })
  .meta({ id: 'VehicleIdentifier' });
export type VehicleIdentifier = z.infer<typeof VehicleIdentifier>;

export const VehicleCover = z
  .strictObject({
    certificateId: z.guid(),
    registryReference: z.string(),
    policyNumber: z.string(),
    cocNumber: z.string(),
    issuingInsurer: OrganizationSummary,
    lifecycle: Lifecycle,
    coverageStatus: CoverageStatus.describe('SUPERSEDED when the vehicle was removed.'),
    firstDay: z.iso.date().describe('The first day on which the record covered this vehicle.'),
    lastDay: z.iso.date(),
    registered: z.strictObject(identifiers).describe('The identifiers on this record.'),
    addedInVersion: z.int().min(1),
    removedInVersion: z.int().min(1).nullable(),
  })
  .meta({ id: 'VehicleCover' });
export type VehicleCover = z.infer<typeof VehicleCover>;

export const Vehicle = z
  .strictObject({
    ...itemFields,
    identifiers: z
      .array(VehicleIdentifier)
      .describe(
        `Every identifier under which it was ever registered, current ones first: at most ${VEHICLE_IDENTIFIERS_MAX}.`,
      ),
    covers: z
      .array(VehicleCover)
      .describe(`The latest registration first: at most ${VEHICLE_COVERS_MAX}.`),
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.infer<typeof Vehicle>;

const criterion = () => text(64).min(1).optional();

export const VehicleQuery = PageQuery.extend({
  identifier: criterion().describe('An identifier of any kind.'),
  plateNumber: criterion(),
  mvFileNumber: criterion(),
  engineNumber: criterion(),
  chassisNumber: criterion(),
}).meta({ id: 'VehicleQuery' });

export const VEHICLE_ENDPOINTS = {
  listVehicles: {
    method: 'GET',
    path: '/admin/v1/vehicles',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Find vehicles by their identifiers',
    description:
      'Needs at least one identifier. All must match; identifiers are normalized, and former ones match too.',
    query: VehicleQuery,
    replies: { 200: { description: 'A page of vehicles.', data: pageOf(VehicleItem) } },
    errors: [],
  },
  readVehicle: {
    method: 'GET',
    path: '/admin/v1/vehicles/{vehicleId}',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Read one vehicle',
    description: 'Its identifiers, now and before, and its covers of all insurers.',
    params: z.object({ vehicleId: z.guid() }),
    replies: { 200: { description: 'The vehicle.', data: Vehicle } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
