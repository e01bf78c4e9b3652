/** What the server writes into the page: the zone of the registry's dates, and whether this is the sandbox. */
export const REGISTRY_TIME_ZONE = metaOf('registry-time-zone');
export const IS_SANDBOX = metaOf('registry-environment') === 'sandbox';

function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
