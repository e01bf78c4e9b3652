import './jest-global-setup.ts';

export default async function tearDown(): Promise<void> {
  await globalThis.stopTestServers?.();
}
