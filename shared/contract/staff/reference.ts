import { z } from 'zod';
import { Region } from '../enums.ts';
import { Timestamp } from '../machine/acknowledgment.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';

/** The largest file of a reference data import (api.md, "Limits"). */
export const IMPORT_BYTES_MAX = 10 * 1_048_576;

/** The headings of the file, in any order. */
export const REFERENCE_COLUMNS = [
  'region',
  'plateNumber',
  'mvFileNumber',
  'engineNumber',
  'chassisNumber',
] as const;
export type ReferenceColumn = (typeof REFERENCE_COLUMNS)[number];

export const IMPORT_STATUSES = [
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'PARTLY_COMPLETED',
  'REFUSED',
  'FAILED',
] as const;
export const ImportStatus = z.enum(IMPORT_STATUSES).meta({
  id: 'ImportStatus',
  description:
    'COMPLETED: every region of the file was replaced; PARTLY_COMPLETED: only the regions without an error; REFUSED: no region; FAILED: the service failed; only the regions in `regions` were replaced.',
});
export type ImportStatus = z.infer<typeof ImportStatus>;

export const REGION_RESULTS = ['REPLACED', 'REFUSED'] as const;
export const RegionResult = z.enum(REGION_RESULTS);

export const ImportedRegion = z.strictObject({
  region: Region,
  rows: z.int().min(0),
  errors: z.int().min(0),
  result: RegionResult,
  vehiclesBefore: z.int().min(0).describe('The vehicles of the region before the import.'),
});
export type ImportedRegion = z.infer<typeof ImportedRegion>;

export const ReferenceImport = z
  .strictObject({
    id: z.uuid(),
    status: ImportStatus,
    fileBytes: z.int().min(1),
    fileSha256: z.string().describe('Hex.'),
    bytesRead: z.int().min(0).describe('The progress, out of fileBytes.'),
    rowsRead: z.int().min(0),
    errorCount: z.int().min(0).describe('The errors in the rows read so far.'),
    regions: z
      .array(ImportedRegion)
      .describe(
        'The regions replaced so far. At the end, unless the import FAILED: every region of the file.',
      ),
    attempts: z.int().min(0).describe('How often a worker claimed it.'),
    lastError: z.string().nullable().describe('The last fault of the service.'),
    uploadedBy: z.string().nullable(),
    uploadedAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ReferenceImport' });
export type ReferenceImport = z.infer<typeof ReferenceImport>;

export const IMPORT_ERROR_CODES = [
  'REQUIRED',
  'INVALID_FORMAT',
  'DUPLICATE_IDENTIFIER_IN_PAYLOAD',
] as const;
export const ImportErrorCode = z.enum(IMPORT_ERROR_CODES);
export type ImportErrorCode = z.infer<typeof ImportErrorCode>;

export const ImportError = z
  .strictObject({
    line: z.int().min(1).describe('The line in the file; the headings are line 1.'),
    region: Region.nullable().describe(
      'Null when the line names no region; then no region is replaced.',
    ),
    field: z
      .enum(REFERENCE_COLUMNS)
      .nullable()
      .describe('Null when the error concerns the whole line.'),
    code: ImportErrorCode,
    message: z.string(),
  })
  .meta({ id: 'ImportError' });
export type ImportError = z.infer<typeof ImportError>;

export const ReferenceRegion = z
  .strictObject({ region: Region, vehicles: z.int().min(0), importedAt: Timestamp })
  .meta({ id: 'ReferenceRegion' });
export type ReferenceRegion = z.infer<typeof ReferenceRegion>;

export const ReferenceVehicle = z
  .strictObject({
    id: z.string().describe('Changes with each import of the region.'),
    region: Region,
    plateNumber: z.string().nullable(),
    mvFileNumber: z.string().nullable(),
    engineNumber: z.string().nullable(),
    chassisNumber: z.string().nullable(),
  })
  .meta({ id: 'ReferenceVehicle' });
export type ReferenceVehicle = z.infer<typeof ReferenceVehicle>;

const criterion = () => text(64).min(1).optional();

export const ReferenceVehicleQuery = PageQuery.extend({
  region: Region.optional(),
  plateNumber: criterion(),
  mvFileNumber: criterion(),
  engineNumber: criterion(),
  chassisNumber: criterion(),
}).meta({ id: 'ReferenceVehicleQuery' });

export const ImportQuery = PageQuery.extend({
  status: ImportStatus.optional(),
  region: Region.optional().describe('Only imports with this region.'),
}).meta({ id: 'ImportQuery' });
export type ImportQuery = z.infer<typeof ImportQuery>;

export const ImportErrorQuery = PageQuery.extend({ region: Region.optional() }).meta({
  id: 'ImportErrorQuery',
});
export type ImportErrorQuery = z.infer<typeof ImportErrorQuery>;

const params = z.object({ importId: z.uuid() });

/** The reference data of level 4 (D21). */
export const REFERENCE_ENDPOINTS = {
  listReferenceRegions: {
    method: 'GET',
    path: '/admin/v1/reference/regions',
    authentication: 'session',
    permission: 'reference:read',
    summary: 'List regions with reference data',
    description: 'A region that is not listed has no reference data.',
    query: PageQuery,
    replies: { 200: { description: 'A page of regions.', data: pageOf(ReferenceRegion) } },
    errors: [],
  },
  listReferenceVehicles: {
    method: 'GET',
    path: '/admin/v1/reference/vehicles',
    authentication: 'session',
    permission: 'reference:read',
    summary: 'Find vehicles in the reference data',
    description:
      'In the order of their import. All filters must match; identifiers are normalized. `total` counts up to 10,000.',
    query: ReferenceVehicleQuery,
    replies: { 200: { description: 'A page of vehicles.', data: pageOf(ReferenceVehicle) } },
    errors: [],
  },
  importReference: {
    method: 'POST',
    path: '/admin/v1/reference/imports',
    authentication: 'session',
    permission: 'reference:import',
    summary: 'Import reference data',
    description: `A CSV file in UTF-8 with the columns ${REFERENCE_COLUMNS.join(', ')}; a vehicle has at least one identifier. Workers import one file after another in the background; Location shows the progress. The new vehicles of a region replace all its earlier ones in one step. A region with an erroneous line does not change, and no region changes when a line names no region.`,
    upload: { mediaTypes: ['text/csv'], bytesMax: IMPORT_BYTES_MAX },
    replies: {
      202: { description: 'Stored and queued.', data: ReferenceImport, location: 'The import.' },
    },
    errors: [],
  },
  listReferenceImports: {
    method: 'GET',
    path: '/admin/v1/reference/imports',
    authentication: 'session',
    permission: 'reference:read',
    summary: 'List imports',
    description: 'The newest first.',
    query: ImportQuery,
    replies: { 200: { description: 'A page of imports.', data: pageOf(ReferenceImport) } },
    errors: [],
  },
  readReferenceImport: {
    method: 'GET',
    path: '/admin/v1/reference/imports/{importId}',
    authentication: 'session',
    permission: 'reference:read',
    summary: 'Read one import',
    description: 'The progress of a running import, or the result for each region.',
    params,
    replies: { 200: { description: 'The import.', data: ReferenceImport } },
    errors: [],
  },
  listReferenceImportErrors: {
    method: 'GET',
    path: '/admin/v1/reference/imports/{importId}/errors',
    authentication: 'session',
    permission: 'reference:read',
    summary: "List an import's errors",
    description:
      'In the order of lines. Only the first 10,000 errors are kept; errorCount counts all.',
    params,
    query: ImportErrorQuery,
    replies: { 200: { description: 'A page of errors.', data: pageOf(ImportError) } },
    csv: ['line', 'region', 'field', 'code', 'message'],
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
