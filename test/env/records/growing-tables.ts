/** Tables that grow with each registration. */
export const GROWING_TABLES = [
  'policies',
  'certificates',
  'vehicles',
  'vehicle_identifiers',
  'certificate_vehicles',
  'certificate_versions',
  'transmissions',
  'amendments',
  'cancellations',
  'flags',
  'changes',
];
