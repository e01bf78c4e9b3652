/** Tables that grow with what is registered. */
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
];
