import type { FlagItem } from '../../../../shared/contract/staff/flags.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { FLAGS, flagIds, raiseFlag } from '../../../env/staff/flags.ts';
import { fieldsOf, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let stack: Stack;
let reviewer: StaffBrowser;
let other: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  reviewer = await signInAs(stack, 'REVIEWER');
  other = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const find = (query: string) => flagIds(reviewer, query);
const act = (browser: StaffBrowser, { id }: FlagItem, verb: string) =>
  browser.post(`${FLAGS}/${id}/${verb}`, { notes: 'Seen.' });

describe('a flag in a list', () => {
  it('names policy, certificate, operator and vehicle', async () => {
    const vehicle = makeVehicle();
    const operator = { name: 'Ana Reyes' };
    const policy = { policyNumber: 'POL-LISTED-1' };
    const flag = await raiseFlag(stack, reviewer, { vehicles: [vehicle], operator, policy });
    expect(flag).toMatchObject({
      policyNumber: 'POL-LISTED-1',
      cocNumber: expect.any(String),
      operatorName: 'Ana Reyes',
      vehicleId: expect.any(String),
      assignee: null,
      assignedAt: null,
    });
    const { envelope } = await reviewer.get(`/admin/v1/vehicles/${flag.vehicleId}`);
    expect(envelope.data).toMatchObject({ plateNumber: vehicle.plateNumber });
  });
});

describe('the list of flags', () => {
  it('finds by plate, normalized', async () => {
    const vehicle = makeVehicle();
    const flag = await raiseFlag(stack, reviewer, { vehicles: [vehicle] });
    const spaced = `${vehicle.plateNumber?.slice(0, 3)}-${vehicle.plateNumber?.slice(3)}`;
    expect(await find(`plateNumber=${spaced.toLowerCase()}`)).toEqual([flag.id]);
    expect(await find('plateNumber=NOBODY1')).toEqual([]);
  });

  it('accepts several values of status, type, region and insurer', async () => {
    const [open, cleared, referred] = [
      await raiseFlag(stack, reviewer),
      await raiseFlag(stack, reviewer, {}, 'INS-BRAVO'),
      await raiseFlag(stack, reviewer),
    ];
    await act(reviewer, cleared, 'clear');
    await act(reviewer, referred, 'refer');
    const decided = await find('status=CLEARED,REFERRED_TO_INSURER');
    expect(decided).toEqual(expect.arrayContaining([cleared.id, referred.id]));
    expect(decided).not.toContain(open.id);
    const both = await find('insurerCode=INS-BRAVO,INS-ALPHA&status=CLEARED&region=CAR,NCR');
    expect(both).toEqual([cleared.id]);
    expect(await find('type=IDENTIFIER_CONFLICT,POSSIBLE_DUPLICATE')).toEqual([]);
  });

  it('finds by reviewer and time of the review', async () => {
    const [mine, theirs] = [await raiseFlag(stack, reviewer), await raiseFlag(stack, reviewer)];
    const before = new Date(Date.now() - 60_000).toISOString();
    const after = new Date(Date.now() + 60_000).toISOString();
    const third = await signInAs(stack, 'REVIEWER');
    await act(third, mine, 'clear');
    await act(other, theirs, 'clear');
    const by = `reviewedBy=${encodeURIComponent(third.email.toUpperCase())}`;
    expect(await find(by)).toEqual([mine.id]);
    expect(await find(`${by}&reviewedFrom=${before}&reviewedTo=${after}`)).toEqual([mine.id]);
    expect(await find(`${by}&reviewedTo=${before}`)).toEqual([]);
    const reviewed = await find(`reviewedFrom=${before}`);
    expect(reviewed).toEqual(expect.arrayContaining([mine.id, theirs.id]));
  });

  it.each([
    ['status=CLEARED,GONE', 'status'],
    ['status=', 'status'],
    ['region=NCR,', 'region'],
    ['plateNumber=-', 'plateNumber'],
    ['assigneeId=me', 'assigneeId'],
    ['reviewedFrom=yesterday', 'reviewedFrom'],
  ])('is VALIDATION_FAILED for ?%s', async (query, field) => {
    const answer = await reviewer.get(`${FLAGS}?${query}`);
    expect(outcomeOf(answer)).toEqual(refused(422, 'VALIDATION_FAILED'));
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it('counts the matches of all pages', async () => {
    await raiseFlag(stack, reviewer);
    const page = await listPage<FlagItem>(reviewer, `${FLAGS}?status=OPEN,CLEARED&limit=1`);
    expect(page.total).toBe((await find('status=OPEN,CLEARED')).length);
  });
});
