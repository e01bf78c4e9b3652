import { DEMO_STAFF } from './demonstration.ts';

/** How the demonstration's staff sign in to the console, in two lines. */
export function describeSignIn(clientsFile: string): [users: string, passwords: string] {
  return [
    DEMO_STAFF.map(({ email }) => email).join(', '),
    `passwords in ${clientsFile} under "adminUsers"; the first sign-in enrolls the second factor`,
  ];
}
