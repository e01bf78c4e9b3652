import type { StaffEndpoint } from './endpoint.ts';

export const DESCRIPTION_ENDPOINTS = {
  readStaffOpenApi: {
    method: 'GET',
    path: '/admin/v1/openapi.json',
    authentication: 'session',
    permission: 'description:read',
    summary: 'Read this description',
    description: 'The machine-readable description of the staff realm.',
    replies: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
