import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import {
  isOfProduction,
  nameAndVersion,
  readLock,
  readManifest,
} from '../../supply-chain/locked-packages.ts';
import { makeSbom } from '../../supply-chain/sbom.ts';

const SCHEMAS = join(
  dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res',
  'schema',
);
const schema = (name: string): object =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'));

describe('the bill of materials', () => {
  const sbom = makeSbom();

  it('is valid CycloneDX', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    const ajv = new Ajv({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
    for (const name of ['spdx', 'jsf-0.82']) {
      ajv.addSchema({
        ...schema(name),
        $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
      });
    }
    const validate = ajv.compile(schema('bom-1.5'));
    validate(sbom);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('lists every production dependency with its version, and no development dependency', () => {
    const listed = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    expect(listed).toEqual(new Set(readLock().packages.filter(isOfProduction).map(nameAndVersion)));
    const direct = Object.entries(readManifest().dependencies).map(([name, at]) => `${name}@${at}`);
    expect(direct.filter((one) => !listed.has(one))).toEqual([]);
  });

  it('is the same each time', () => {
    expect(makeSbom()).toEqual(sbom);
  });
});
