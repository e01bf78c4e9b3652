import { Link, useLocation } from 'wouter';

const SECTIONS = [
  ['/reference', 'Regions and imports'],
  ['/reference/vehicles', 'Vehicles'],
] as const;

/** The links between the pages of the reference data. */
export function Sections() {
  const [location] = useLocation();
  return (
    <nav aria-label="Reference data" className="tab-list">
      {SECTIONS.map(([path, label]) => (
        <Link
          key={path}
          href={path}
          className="tab section-link"
          aria-current={path === location ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
