import { DISCLAIMER } from '../../../../shared/contract/machine/acknowledgment.ts';
import { makeReferenceVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import {
  ALPHA,
  MASKED,
  type RecordWorld,
  type Registered,
  readRecordOf,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const read = (client: string, registered: Registered) => readRecordOf(world, client, registered);

describe('a new record', () => {
  it('is shown with every field, and its identifiers both normalized and as transmitted', async () => {
    const body = recordBody({
      policy: { premiumAmount: 1250.5, remarks: 'fleet' },
      vehicles: [
        makeReferenceVehicle(1, { plateNumber: 'ncr 1001', caseNumber: 'C-1' }),
        makeVehicle({ region: 'CAR', make: null, yearModel: null, passengerCapacity: 7 }),
      ],
    });
    const made = await world.register('alpha', body);
    const record = await read('alpha', made);
    const [first, second] = body.vehicles;
    expect(record).toEqual({
      id: expect.any(String),
      registryReference: made.registryReference,
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      effectiveDate: '2026-10-01',
      expirationDate: '2027-09-30',
      coverageStatus: 'ACTIVE',
      lifecycle: 'CURRENT',
      currentVersion: 1,
      issuingInsurer: ALPHA,
      transmittingOrg: ALPHA,
      pool: null,
      operatorName: 'Maria Santos',
      region: 'NCR',
      plateNumbers: ['NCR1001', second?.plateNumber],
      vehicleCount: 2,
      openFlagCount: 0,
      registeredAt: '2026-10-15T02:00:00.000Z',
      policy: {
        policyNumber: body.policy.policyNumber,
        issuanceDate: '2026-09-01',
        coverageType: 'PPAI_STANDARD',
        premiumAmount: '1250.50',
        officialReceiptNumber: null,
        remarks: 'fleet',
        leadInsurer: null,
        managementCompany: null,
      },
      insurerVerificationRef: null,
      operator: {
        id: expect.any(String),
        name: 'Maria Santos',
        operatorType: 'INDIVIDUAL',
        businessName: null,
        ...MASKED,
        address: '12 Rizal Street, Quezon City',
        region: 'NCR',
        caseNumber: null,
        cpcNumber: null,
        franchiseNumber: null,
      },
      vehicles: [
        {
          vehicle: {
            id: expect.any(String),
            plateNumber: 'NCR1001',
            mvFileNumber: first?.mvFileNumber,
            engineNumber: 'ENG1001NCR',
            chassisNumber: 'CHS1001NCR',
            make: 'Isuzu',
            model: 'Elf',
            yearModel: 2020,
            vehicleType: 'JEEPNEY',
            denomination: 'PUJ',
            passengerCapacity: 20,
            region: 'NCR',
            caseNumber: 'C-1',
            cpcNumber: null,
          },
          transmitted: {
            plateNumber: 'ncr 1001',
            mvFileNumber: first?.mvFileNumber,
            engineNumber: 'ENG1001NCR',
            chassisNumber: 'CHS1001NCR',
          },
          refMatchResult: 'MATCHED',
          addedInVersion: 1,
          removedInVersion: null,
        },
        expect.objectContaining({
          vehicle: expect.objectContaining({ make: null, yearModel: null, passengerCapacity: 7 }),
          refMatchResult: 'FOR_REVIEW',
        }),
      ],
      versions: [
        {
          version: 1,
          coverageStatus: 'ACTIVE',
          createdAt: '2026-10-15T02:00:00.000Z',
          supersededAt: null,
          transmissionReference: made.transmissionReference,
          channel: 'API',
          actor: 'alpha',
          snapshot: expect.objectContaining({
            issuingInsurerCode: 'INS-ALPHA',
            operator: expect.objectContaining({ name: 'Maria Santos', ...MASKED }),
          }),
        },
      ],
      amendments: [],
      cancellation: null,
      flags: [],
      transmissions: [
        {
          id: expect.any(String),
          transmissionReference: made.transmissionReference,
          kind: 'CREATE',
          channel: 'API',
          status: 'ACCEPTED',
          transmittingOrg: ALPHA,
          externalTransactionId: body.externalTransactionId,
          registryReference: made.registryReference,
          policyNumber: body.policy.policyNumber,
          cocNumber: body.certificate.cocNumber,
          plateNumbers: ['NCR1001', second?.plateNumber],
          errorCode: null,
          actor: 'alpha',
          receivedAt: '2026-10-15T02:00:00.000Z',
          completedAt: '2026-10-15T02:00:00.000Z',
        },
      ],
      disclaimer: DISCLAIMER,
    });
  });

  it('is read and amended in the same way if an earlier release stored absent values as null', async () => {
    const [first, second] = [makeVehicle(), makeVehicle({ make: null, yearModel: null })];
    const made = await world.register('alpha', recordBody({ vehicles: [first, second] }));
    const record = await read('alpha', made);
    await world.db.$executeRaw`
      UPDATE certificate_vehicles
      SET registered = '{"vin":null,"make":null,"yearModel":null,"caseNumber":null,"cpcNumber":null}' || registered
      WHERE certificate_id = ${record.id}::uuid`;
    expect(await read('alpha', made)).toEqual(record);

    const revisions = () => world.db.$queryRaw<{ revision: string }[]>`
      SELECT xmin::text AS revision FROM certificate_vehicles WHERE certificate_id = ${record.id}::uuid ORDER BY ordinal`;
    const before = await revisions();
    const update = [{ match: { chassisNumber: first.chassisNumber }, set: { make: 'Hino' } }];
    await world.amend('alpha', made.registryReference, { vehicles: { update } });
    const after = await revisions();
    expect(after[0]).not.toEqual(before[0]);
    expect(after[1]).toEqual(before[1]);
  });

  it('shows its pool with the current lead insurer and management company', async () => {
    const body = recordBody({ issuingInsurerCode: 'INS-BRAVO', poolCode: 'POOL-NORTH' });
    const made = await world.register('mgt-one', body);
    const record = await read('bravo', made);
    expect(record).toMatchObject({
      issuingInsurer: { code: 'INS-BRAVO' },
      transmittingOrg: { code: 'MGT-ONE', type: 'MANAGEMENT_COMPANY' },
      pool: { code: 'POOL-NORTH', type: 'INSURANCE_POOL' },
      policy: { leadInsurer: { code: 'INS-ALPHA' }, managementCompany: { code: 'MGT-ONE' } },
    });
  });

  it('counts its open flags and shows all flags', async () => {
    const made = await world.register('alpha', recordBody({ vehicles: [makeVehicle()] }));
    const flagged = await read('alpha', made);
    expect(flagged.openFlagCount).toBe(1);
    expect(flagged.flags).toEqual([
      {
        id: expect.any(String),
        type: 'VEHICLE_MISMATCH',
        status: 'OPEN',
        certificateId: flagged.id,
        registryReference: made.registryReference,
        relatedCertificateId: null,
        relatedRegistryReference: null,
        plateNumber: made.body.vehicles[0]?.plateNumber,
        insurerName: 'Alpha Insurance',
        relatedInsurerName: null,
        region: 'NCR',
        details: expect.any(Object),
        message: expect.any(String),
        reviewedBy: null,
        reviewedAt: null,
        reviewNotes: null,
        createdAt: '2026-10-15T02:00:00.000Z',
      },
    ]);
    await world.db.$executeRaw`
      UPDATE flags SET status = 'CLEARED', reviewed_by = 'reviewer', reviewed_at = '2026-10-16T00:00:00Z',
        review_notes = 'papers seen'
      WHERE certificate_id = ${flagged.id}::uuid`;
    const reviewed = await read('alpha', made);
    expect(reviewed.openFlagCount).toBe(0);
    expect(reviewed.flags[0]).toMatchObject({
      status: 'CLEARED',
      reviewedBy: 'REGULATOR',
      reviewedAt: '2026-10-16T00:00:00.000Z',
      reviewNotes: 'papers seen',
    });
  });

  it('shows a related record only to organizations that see that record as well', async () => {
    const made = await world.register('bravo', recordBody({ issuingInsurerCode: 'INS-BRAVO' }));
    const related = await world.register('alpha', recordBody());
    await world.db.$executeRaw`
      INSERT INTO flags (id, type, certificate_id, related_certificate_id, region, message, created_at)
      SELECT gen_random_uuid(), 'POSSIBLE_DUPLICATE', c.id, r.id, 'NCR', 'An earlier record', now()
      FROM certificates c, certificates r
      WHERE c.registry_reference = ${made.registryReference}
        AND r.registry_reference = ${related.registryReference}`;
    expect((await read('bravo', made)).flags).toEqual([
      expect.objectContaining({
        relatedCertificateId: null,
        relatedRegistryReference: null,
        relatedInsurerName: 'Alpha Insurance',
      }),
    ]);
    expect((await read('verifier', made)).flags).toEqual([
      expect.objectContaining({
        relatedCertificateId: expect.any(String),
        relatedRegistryReference: related.registryReference,
      }),
    ]);
  });
});

describe('a record that does not exist', () => {
  it.each(['PPAI-2026-999999999', 'PPAI-2026-1', 'search%20', '%00', '%F0%9F%9A%8C', "'--"])(
    'is NOT_FOUND: %s',
    async (reference) => {
      const answer = await world.get('alpha', `/ppai/policies/${reference}`);
      expect({ status: answer.status, code: answer.envelope.error?.code }).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      });
    },
  );

  it('is answered exactly like a record that the caller may not see', async () => {
    const made = await world.register('bravo', recordBody({ issuingInsurerCode: 'INS-BRAVO' }));
    const body = async (reference: string) => {
      const answer = await world.get('charlie', `/ppai/policies/${reference}`);
      const { error, ...rest } = answer.envelope;
      return { status: answer.status, ...rest, error: { ...error, requestId: undefined } };
    };
    expect(await body(made.registryReference)).toEqual(await body('PPAI-2026-999999999'));
  });
});
