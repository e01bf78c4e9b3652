import { AGE_WORDS, ageChoice, ageFilters } from '../../../../console/pages/flags/age-choice.ts';
import {
  assigneeChoice,
  assigneeFilters,
} from '../../../../console/pages/flags/assignment/assignee-choice.ts';

const OWN = 'id-of-the-user';

describe('the filter by assignee', () => {
  it.each(['mine', 'nobody', 'somebody', ''])('keeps the choice %j in the URL', (choice) => {
    const filters = Object.entries(assigneeFilters(choice, OWN)).filter(
      ([, value]) => value !== '',
    );
    expect(assigneeChoice(Object.fromEntries(filters), OWN)).toBe(choice);
  });

  it('replaces the earlier choice as a whole', () => {
    expect(assigneeFilters('nobody', OWN)).toEqual({ assigneeId: '', assigned: 'false' });
    expect(assigneeFilters('mine', OWN)).toEqual({ assigneeId: OWN, assigned: '' });
  });

  it("shows another user's id as it is in a link", () => {
    expect(assigneeChoice({ assigneeId: 'another' }, OWN)).toBe('another');
  });
});

describe('the filter by age', () => {
  it.each([...Object.keys(AGE_WORDS), '', '-3'])('keeps the choice %j in the URL', (choice) => {
    const filters = Object.entries(ageFilters(choice)).filter(([, value]) => value !== '');
    expect(ageChoice(Object.fromEntries(filters))).toBe(choice);
  });
});
