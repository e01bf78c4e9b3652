import { type BodyChanges, makePlainVehicle, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { cancelOn, errorsOf, registerOn } from './registered-certificate.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const register = (client: string, changes?: BodyChanges) => registerOn(stack, client, changes);

describe('a registered certificate number', () => {
  it('is a DUPLICATE_TRANSMISSION with the same vehicles, and the finding names the record', async () => {
    const { body, registryReference } = await register('alpha', {
      vehicles: [makePlainVehicle(), makePlainVehicle()],
    });
    const again = await stack.transmit('alpha', {
      ...body,
      externalTransactionId: uniqueNumber('EXT'),
      vehicles: body.vehicles.toReversed(),
    });
    expect(again.status).toBe(422);
    expect(again.errorCode).toBe('DUPLICATE_TRANSMISSION');
    expect(again.findings).toContainEqual(
      expect.objectContaining({
        code: 'DUPLICATE_TRANSMISSION',
        field: 'certificate.cocNumber',
        level: 3,
        severity: 'ERROR',
        registryReference,
      }),
    );
  });

  it('is COC_ALREADY_REGISTERED with other vehicles', async () => {
    const { body, registryReference } = await register('alpha');
    const again = await stack.transmit('alpha', {
      ...body,
      externalTransactionId: uniqueNumber('EXT'),
      vehicles: [...body.vehicles, makePlainVehicle()],
    });
    expect(again.errorCode).toBe('COC_ALREADY_REGISTERED');
    expect(again.findings).toContainEqual(
      expect.objectContaining({ code: 'COC_ALREADY_REGISTERED', registryReference }),
    );
  });

  it('takes precedence over VEHICLE_ALREADY_INSURED as error code; the details have both (D11)', async () => {
    const covered = makePlainVehicle();
    await register('alpha', { vehicles: [covered] });
    const { body } = await register('alpha');
    const again = await stack.transmit('alpha', {
      ...body,
      externalTransactionId: uniqueNumber('EXT'),
      vehicles: [covered],
    });
    expect(again.errorCode).toBe('COC_ALREADY_REGISTERED');
    expect(errorsOf(again)).toEqual([
      'COC_ALREADY_REGISTERED certificate.cocNumber',
      'VEHICLE_ALREADY_INSURED vehicles[0].plateNumber',
    ]);
  });

  it('is never free again, not even after the record is cancelled (D11)', async () => {
    const first = await register('alpha');
    await cancelOn(stack, 'alpha', first);
    const again = { ...first.body, externalTransactionId: uniqueNumber('EXT') };
    const others = { ...again, externalTransactionId: uniqueNumber('EXT') };
    for (const [body, code] of [
      [again, 'DUPLICATE_TRANSMISSION'],
      [{ ...others, vehicles: [makePlainVehicle()] }, 'COC_ALREADY_REGISTERED'],
    ] as const) {
      const { errorCode, findings } = await stack.transmit('alpha', body);
      expect(errorCode).toBe(code);
      // A cancelled record cannot be amended, so the message advises another number.
      const { message } = findings.find((one) => one.code === code) ?? {};
      expect(message).toContain('use another certificate number');
      expect(message).not.toContain('amend');
    }
  });

  it('can be used by another insurer or for another policy', async () => {
    const { body } = await register('alpha');
    await register('bravo', {
      issuingInsurerCode: 'INS-BRAVO',
      policy: { policyNumber: body.policy.policyNumber ?? null },
      certificate: { cocNumber: body.certificate.cocNumber ?? null },
    });
    await register('alpha', { certificate: { cocNumber: body.certificate.cocNumber ?? null } });
  });

  it('is VALIDATION_FAILED together with another error (D11)', async () => {
    const { body } = await register('alpha');
    const again = await stack.transmit('alpha', {
      ...body,
      externalTransactionId: uniqueNumber('EXT'),
      policy: { ...body.policy, coverageType: 'OTHER' },
    });
    expect(again.errorCode).toBe('VALIDATION_FAILED');
    expect(errorsOf(again)).toEqual([
      'UNSUPPORTED_COVERAGE_TYPE policy.coverageType',
      'DUPLICATE_TRANSMISSION certificate.cocNumber',
    ]);
  });
});

describe('a policy with several certificates', () => {
  it('keeps the details of its first registration, with a warning for each that differs', async () => {
    const { body } = await register('alpha', { policy: { remarks: 'first' } });
    const next = await register('alpha', {
      policy: { ...body.policy, remarks: 'second', premiumAmount: 7 },
    });
    expect(
      next.acknowledgment.warnings
        .filter(({ code }) => code === 'POLICY_DETAILS_DIFFER')
        .map(({ field }) => field),
    ).toEqual(['policy.premiumAmount', 'policy.remarks']);
    const { envelope } = await stack.get('alpha', `/ppai/policies/${next.registryReference}`);
    expect(envelope.data).toMatchObject({ policy: { remarks: 'first', premiumAmount: '1250.50' } });
    const policies = await stack.api.context.db.policy.count({
      where: { policyNumber: body.policy.policyNumber ?? '' },
    });
    expect(policies).toBe(1);
  });
});
