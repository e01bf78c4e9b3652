import { useMay } from '../../session/session-context.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ImportList } from './import-list.tsx';
import { Regions } from './regions.tsx';
import { Sections } from './sections.tsx';
import { UploadForm } from './upload-form.tsx';

/** The reference data of level 4: how old it is, how it is replaced, and what earlier imports did. */
export function ReferencePage() {
  const mayImport = useMay('reference:import');
  return (
    <div className="page">
      <PageTitle title="Reference data" />
      <Sections />
      <section className="page-section" aria-labelledby="regions">
        <h2 id="regions">Regions</h2>
        <Regions />
      </section>
      {mayImport ? (
        <section className="page-section" aria-labelledby="upload">
          <h2 id="upload">Replace the vehicles of regions</h2>
          <UploadForm />
        </section>
      ) : null}
      <section className="page-section" aria-labelledby="imports">
        <h2 id="imports">Imports</h2>
        <ImportList />
      </section>
    </div>
  );
}
