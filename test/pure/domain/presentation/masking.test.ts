import fc from 'fast-check';
import { maskEmail, maskPhone, maskTin } from '../../../../shared/domain/presentation/masking.ts';

describe('the mask of operator personal data (D22)', () => {
  it.each([
    ['123-456-789-000', '************000'],
    ['1234', '*234'],
    ['123', '***'],
    ['1', '***'],
  ])('of the TIN %s is %s: the last three characters', (tin, masked) => {
    expect(maskTin(tin)).toBe(masked);
  });

  it.each([
    ['maria.santos@example.org', 'm***@example.org'],
    ['m@example.org', 'm***@example.org'],
    ['a@b@example.org', 'a***@example.org'],
    ['@example.org', '***'],
    ['maria', '***'],
  ])('of the address %s is %s: the first character and the domain', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });

  it.each([
    ['+63 917 555 0142', '********0142'],
    ['0142', '***'],
    ['call me', '***'],
  ])('of the phone number %s is %s: the last four digits', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });

  it('of an absent value is absent', () => {
    expect([maskTin(null), maskEmail(null), maskPhone(null)]).toEqual([null, null, null]);
  });

  it('never shows a whole value', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), (value) => {
        for (const mask of [maskTin, maskPhone]) {
          expect(mask(value)).toContain('*');
        }
        expect(maskEmail(value)).toContain('***');
      }),
    );
  });
});
