import type { VehicleBody } from '../../../../shared/contract/machine/transmission.ts';
import type { ImportError, ReferenceImport } from '../../../../shared/contract/staff/reference.ts';
import { makeBody, makeVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { auditedActions, listAll } from '../../../env/staff/lists.ts';
import {
  fileOf,
  HEADING,
  IMPORTS,
  imported,
  lineOf,
  upload,
  vehiclesByRegion,
} from '../../../env/staff/reference-files.ts';
import { makeBrowser, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let administrator: StaffBrowser;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  administrator = await signInAs(stack, 'ADMINISTRATOR');
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

/** The result of level 4 for the vehicle in a new transmission. */
async function matchOf(vehicle: VehicleBody): Promise<string | undefined> {
  const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [vehicle] }));
  return acknowledgment.referenceMatches[0]?.result;
}

function errorsOf({ id }: ReferenceImport): Promise<ImportError[]> {
  return listAll<ImportError>(auditor, `${IMPORTS}/${id}/errors`);
}

async function referenceRows(region: string): Promise<object[]> {
  return stack.api.context.db.referenceVehicle.findMany({
    where: { region },
    omit: { id: true, region: true },
    orderBy: { id: 'asc' },
  });
}

const countChunks = () => stack.api.context.db.referenceImportChunk.count();

describe('an import of reference data', () => {
  it('replaces the whole region, and applies to the next transmission', async () => {
    const [first, second] = [makeVehicle({ region: 'I' }), makeVehicle({ region: 'I' })];
    const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles: [first] }));
    expect(acknowledgment.warnings).toMatchObject([{ code: 'REFERENCE_DATA_UNAVAILABLE' }]);

    const one = await imported(administrator, fileOf(lineOf('I', second), lineOf('I')));
    expect(one).toMatchObject({
      status: 'COMPLETED',
      rowsRead: 2,
      bytesRead: one.fileBytes,
      errorCount: 0,
      attempts: 1,
      lastError: null,
      uploadedBy: administrator.email,
      regions: [{ region: 'I', rows: 2, errors: 0, result: 'REPLACED', vehiclesBefore: 0 }],
    });
    expect(await matchOf(second)).toBe('MATCHED');

    const other = await imported(administrator, fileOf(lineOf('I')));
    expect(other.regions).toMatchObject([{ region: 'I', rows: 1, vehiclesBefore: 2 }]);
    expect(await matchOf(makeVehicle({ region: 'I' }))).toBe('NO_MATCH');
    expect(await vehiclesByRegion(auditor)).toMatchObject({ I: 1, NCR: 100 });
    expect(await countChunks()).toBe(0);
    expect(await stack.api.context.db.referenceImportRow.count()).toBe(0);
  });

  it('reads a byte order mark, quotes, CR LF, empty lines and any order of columns', async () => {
    const lines = [
      '\uFEFF"chassisNumber",region,plateNumber, engineNumber ,"mvFileNumber"',
      '"chs-00 1",II,"ABC 101",eng.0001,"1301-0001"',
      '',
      '  ',
      ',,,,',
      '"CHS002","II",, ENG_0002 ,',
    ];
    const one = await imported(administrator, lines.join('\r\n'));
    expect(one).toMatchObject({ status: 'COMPLETED', rowsRead: 2 });
    expect(await referenceRows('II')).toEqual([
      {
        plateNumber: 'ABC101',
        mvFileNumber: '13010001',
        engineNumber: 'ENG0001',
        chassisNumber: 'CHS001',
      },
      { plateNumber: null, mvFileNumber: null, engineNumber: 'ENG0002', chassisNumber: 'CHS002' },
    ]);
  });

  it('leaves a region with a bad line unchanged and names the line; the other regions are replaced', async () => {
    await imported(administrator, fileOf(lineOf('III'), lineOf('III')));
    const before = await referenceRows('III');
    const file = fileOf(
      lineOf('III'),
      lineOf('V'),
      '',
      'III,"ABC\r\n102",!!,ENG0102,CHS0102',
      lineOf('III'),
      'III,,,,',
    );
    const one = await imported(administrator, file);
    expect(one).toMatchObject({
      status: 'PARTLY_COMPLETED',
      errorCount: 3,
      regions: [
        { region: 'III', rows: 4, errors: 3, result: 'REFUSED', vehiclesBefore: 2 },
        { region: 'V', rows: 1, errors: 0, result: 'REPLACED', vehiclesBefore: 0 },
      ],
    });
    expect(await errorsOf(one)).toEqual([
      {
        line: 5,
        region: 'III',
        field: 'mvFileNumber',
        code: 'INVALID_FORMAT',
        message: expect.stringContaining('4 to 20'),
      },
      {
        line: 5,
        region: 'III',
        field: 'plateNumber',
        code: 'INVALID_FORMAT',
        message: 'The character U+000D is not accepted here.',
      },
      // The record before it contains a line break.
      { line: 8, region: 'III', field: null, code: 'REQUIRED', message: expect.any(String) },
    ]);
    expect(await referenceRows('III')).toEqual(before);
    const { envelope } = await auditor.get(`${IMPORTS}/${one.id}/errors?region=V`);
    expect(envelope.data).toMatchObject({ items: [], total: 0 });
  });

  it('replaces no region when a line names none', async () => {
    for (const [bad, field] of [
      ['IV,ABC103,13010103,ENG0103,CHS0103', 'region'],
      [',ABC103,13010103,ENG0103,CHS0103', 'region'],
      ['VI,ABC103,13010103,ENG0103', null],
      ['VI,ABC103,13010103,ENG0103,CHS0103,more', null],
      ['VI,AB"C103,13010103,ENG0103,CHS0103', null],
      ['VI,"ABC103,13010103,ENG0103,CHS0103', null],
    ] as const) {
      const one = await imported(administrator, fileOf(lineOf('VI'), bad));
      expect(one).toMatchObject({
        status: 'REFUSED',
        regions: [{ region: 'VI', result: 'REFUSED' }],
      });
      expect(await errorsOf(one)).toMatchObject([{ line: 3, region: null, field }]);
    }
    expect(await vehiclesByRegion(auditor)).not.toHaveProperty('VI');
  });

  it('reports an identifier of an earlier line as an error of the later line', async () => {
    const file = fileOf(
      'VII,ABC-104,13010104,ENG0104,CHS0104',
      'VII,abc 104,13010105,ENG0105,CHS0105',
      'VIII,ABC106,13010106,ENG0106,CHS.0104',
      'IX,ENG0104,13010107,,',
    );
    const one = await imported(administrator, file);
    expect(one).toMatchObject({
      status: 'PARTLY_COMPLETED',
      errorCount: 2,
      regions: [
        { region: 'IX', result: 'REPLACED' },
        { region: 'VII', result: 'REFUSED', errors: 1 },
        { region: 'VIII', result: 'REFUSED', errors: 1 },
      ],
    });
    expect(await errorsOf(one)).toMatchObject([
      {
        line: 3,
        region: 'VII',
        field: 'plateNumber',
        code: 'DUPLICATE_IDENTIFIER_IN_PAYLOAD',
        message: expect.stringContaining('Line 2'),
      },
      {
        line: 4,
        region: 'VIII',
        field: 'chassisNumber',
        message: expect.stringContaining('Line 2'),
      },
    ]);
  });

  it('counts every error and stores the first 10,000', async () => {
    const bad = Array.from({ length: 9_999 }, () => 'IV-A,!,,,');
    const one = await imported(
      administrator,
      fileOf(...bad, 'IV-A,AB1,,,', 'IV-A,AB1,,,', 'IV-A,AB1,,ENG0001,', 'IV-A,,,ENG0001,'),
    );
    expect(one).toMatchObject({ status: 'REFUSED', errorCount: 10_002, rowsRead: 10_003 });
    const { envelope } = await auditor.get(`${IMPORTS}/${one.id}/errors?limit=1`);
    expect(envelope.data).toMatchObject({ items: [{ line: 2 }], total: 10_000 });
  });

  it('audits the upload and the outcome, with the state before and after', async () => {
    const { id, regions, fileSha256 } = await imported(administrator, fileOf(lineOf('XI')));
    expect(await auditedActions(administrator, 'REFERENCE_IMPORT', id)).toEqual([
      {
        action: 'REFERENCE_IMPORT_UPLOADED',
        before: null,
        after: { fileBytes: expect.any(Number), fileSha256 },
      },
      {
        action: 'REFERENCE_IMPORT_ENDED',
        before: { XI: 0 },
        after: { status: 'COMPLETED', errorCount: 0, regions },
      },
    ]);
  });

  it('is listed by status and region, the newest first', async () => {
    const one = await imported(administrator, fileOf(lineOf('XII')));
    const other = await imported(administrator, fileOf(lineOf('XII'), 'XII,!,,,'));
    const ids = async (query: string) =>
      (await listAll<ReferenceImport>(auditor, `${IMPORTS}?${query}`)).map(({ id }) => id);
    expect(await ids('region=XII')).toEqual([other.id, one.id]);
    expect(await ids('region=XII&status=REFUSED')).toEqual([other.id]);
    expect(await ids('status=FAILED')).toEqual([]);
  });
});

describe('an upload', () => {
  it.each([
    ['of another media type', fileOf(lineOf('X')), { 'content-type': 'application/json' }],
    [
      'of another character set',
      fileOf(lineOf('X')),
      { 'content-type': 'text/csv; charset=latin1' },
    ],
    ['without a media type', fileOf(lineOf('X')), { 'content-type': '' }],
    ['that is compressed', fileOf(lineOf('X')), { 'content-encoding': 'gzip' }],
    ['that is empty', '', {}],
    ['of white space', ' \r\n \n', {}],
    ['with a heading only', `${HEADING}\r\n\r\n`, {}],
    ['without a heading', `${lineOf('X')}\n`, {}],
    ['with a column too many', `${HEADING},colour\n${lineOf('X')},red\n`, {}],
    ['with a column twice', `${HEADING.replace('plate', 'engine')}\n${lineOf('X')}\n`, {}],
    ['with semicolons', fileOf(lineOf('X')).replaceAll(',', ';'), {}],
    ['that is not UTF-8', Buffer.from(fileOf(`X,\u00e91,,,`), 'latin1'), {}],
    ['that is UTF-16', Buffer.from(fileOf(lineOf('X')), 'utf16le'), {}],
    ['without a line end', 'x'.repeat(2_000_000), {}],
  ])('%s is UNSUPPORTED_FILE, and nothing is stored', async (_what, file, headers) => {
    const { status, envelope } = await upload(administrator, file, headers);
    expect([status, envelope.error?.code]).toEqual([415, 'UNSUPPORTED_FILE']);
    expect(await countChunks()).toBe(0);
  });

  it('of 10 MB is imported, one byte more is PAYLOAD_TOO_LARGE', async () => {
    const lines = [HEADING];
    for (let bytes = HEADING.length + 1; bytes < 10_485_760; bytes += 1_024) {
      lines.push(lineOf('XIII').padEnd(Math.min(1_023, 10_485_760 - bytes - 1)));
    }
    const file = Buffer.from(`${lines.join('\n')}\n`);
    expect(file.length).toBe(10_485_760);
    const one = await imported(administrator, file);
    expect(one).toMatchObject({
      status: 'COMPLETED',
      fileBytes: 10_485_760,
      bytesRead: 10_485_760,
    });
    const { status, envelope } = await upload(
      administrator,
      Buffer.concat([file, Buffer.from('\n')]),
    );
    expect([status, envelope.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(envelope.error?.message).toContain('10 MB');
    expect(await countChunks()).toBe(0);
  });

  it('is refused to a role without the permission, and without a session', async () => {
    const { status, envelope } = await upload(auditor, fileOf(lineOf('X')));
    expect([status, envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
    const anonymous = await upload(makeBrowser(stack), fileOf(lineOf('X')));
    expect([anonymous.status, anonymous.envelope.error?.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('is NOT_FOUND if it does not exist, and so are its errors', async () => {
    const path = `${IMPORTS}/6f1b2c1e-3f0a-4c57-9a53-0d8a5f1c7b11`;
    for (const unknown of [path, `${path}/errors`, `${IMPORTS}/nothing`]) {
      const { status, envelope } = await auditor.get(unknown);
      expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
