import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { makeContractModule } from './contract-module.ts';

/** There is no development server: it would need another content policy than the one that the console runs under. */
export function makeViteConfig(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: join(findProjectRoot(), 'console'),
    base: '/console/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [makeContractModule()],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      // The policy allows no data: URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        onwarn: (warning, warn) => {
          // "use client" is for servers that render React.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
  };
}
