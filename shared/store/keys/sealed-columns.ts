/** A column of sealed values, and where its values say they belong ({@link Keyring.seal}). Names and expressions are SQL. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key with their types, in their order. */
  readonly key: readonly (readonly [name: string, type: string])[];
  /** The associated data of a value, of the row `t` and what `join` adds. */
  readonly place: string;
  readonly join?: string;
  /** Which rows hold a sealed value; all when left out. */
  readonly where?: string;
}

/** Every column whose values a key of ENCRYPTION_KEYS seals. A test compares it with the database. */
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
