import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

const textOf = (file: string) =>
  readFileSync(join(findProjectRoot(), 'docs/operations', file), 'utf8');
const METRIC = /\bregistry_[a-z_]+\b/g;

it('alerts, autoscaling and documents name only metrics that exist', async () => {
  const metrics = await makeMetrics().registry.getMetricsAsJSON();
  const known = new Set(metrics.map(({ name }) => name));
  const files = ['prometheus-rules.yaml', 'keda-scaled-object.yaml', 'health.md', 'scaling.md'];
  const named = files.flatMap((file) => textOf(file).match(METRIC) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('every alert in the documents has a rule', () => {
  const rules = textOf('prometheus-rules.yaml');
  const named = textOf('health.md').match(/\bRegistry[A-Z]\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !rules.includes(`alert: ${name}\n`))).toEqual([]);
});
