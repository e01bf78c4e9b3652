import { AppError } from '../../contract/errors.ts';

/** @throws {AppError} CONFLICT when somebody else changed the row since the caller read it */
export function requireVersion(held: number, expected: number): void {
  if (held === expected) return;
  throw new AppError('CONFLICT', `version ${held} is held, ${expected} was expected`, {
    message: 'It was changed meanwhile; read it again.',
  });
}
