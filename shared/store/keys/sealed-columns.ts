/**
 * A column of sealed values, and the associated data of its values ({@link Keyring.seal}). Names and expressions are SQL.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key with their types, in order. */
  readonly key: readonly (readonly [name: string, type: string])[];
  /** The expression for a value's associated data, from the row `t` and the joined rows. */
  readonly place: string;
  readonly join?: string;
  /** The rows that hold a sealed value; all rows by default. */
  readonly where?: string;
}

/** Every column whose values are sealed with a key of ENCRYPTION_KEYS. A test compares this list with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'client_secrets',
    column: 'protected',
    key: [
      ['api_client_id', 'uuid'],
      ['kind', 'text'],
      ['version', 'int'],
    ],
    place: `c.client_id || '/' || t.version`,
    join: 'JOIN api_clients c ON c.id = t.api_client_id',
    where: `t.kind = 'SIGNING_SECRET'`,
  },
  {
    table: 'staff_users',
    column: 'totp_sealed',
    key: [['id', 'uuid']],
    place: `'staff-totp/' || t.id`,
    where: 't.totp_sealed IS NOT NULL',
  },
  {
    table: 'staff_sessions',
    column: 'totp_sealed',
    key: [['id_hash', 'bytea']],
    place: `'staff-totp/' || t.user_id`,
    where: 't.totp_sealed IS NOT NULL',
  },
  {
    table: 'reference_import_chunks',
    column: 'sealed',
    key: [
      ['import_id', 'uuid'],
      ['ordinal', 'int'],
    ],
    place: `'reference-import/' || t.import_id || '/' || t.ordinal`,
  },
  {
    table: 'certificates',
    column: 'operator_sealed',
    key: [['id', 'uuid']],
    place: 't.operator_id::text',
  },
  {
    table: 'certificate_versions',
    column: 'snapshot_sealed',
    key: [
      ['certificate_id', 'uuid'],
      ['version', 'int'],
    ],
    place: `t.certificate_id || '/' || t.version`,
  },
  { table: 'amendments', column: 'diff_sealed', key: [['id', 'uuid']], place: 't.id::text' },
  { table: 'transmissions', column: 'body_sealed', key: [['id', 'uuid']], place: 't.id::text' },
];
