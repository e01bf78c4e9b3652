import type { GetPrismaClientConfig } from '@prisma/client/runtime/client';

// Statements of SQL go past Prisma's models and the compiler of their queries, but each client would load them: a WebAssembly
// module, a graph of all arguments and the schema, some 17 MB. Prisma's option for this is marked as internal, so
// `test/integration/once/store/raw-db` holds it to what is needed of it; should an upgrade break that, `openDb` does the same with more memory.

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** A graph of no inputs, no outputs and no roots: three counts, each a byte, in base64. */
const EMPTY_GRAPH = 'AAAA';

/** What Prisma calls of a module when it has loaded it. */
const START = Buffer.from('__wbindgen_start').toString('hex');
/** The smallest module with it: magic and version, a type () -> (), a function of it, its export, its empty body. */
const EMPTY_MODULE = Buffer.from(
  ['0061736d01000000', '010401600000', '03020100', `07140110${START}0000`, '0a040102000b'].join(''),
  'hex',
);

/** In place of the compiler of queries, which statements of SQL pass by. */
class NoCompiler {
  compile(): never {
    throw new Error('this process runs statements of SQL alone: its database has no models');
  }
  compileBatch(): never {
    return this.compile();
  }
  free(): void {}
}

/** The configuration of a client that runs statements of SQL alone. */
export function withoutModels(config: GetPrismaClientConfig): GetPrismaClientConfig {
  return {
    ...config,
    runtimeDataModel: { models: {}, enums: {}, types: {} },
    parameterizationSchema: { strings: [], graph: EMPTY_GRAPH },
    inlineSchema: '',
    // Compilers are kept by provider: a client with models in the same process must not get this one. Of statements the
    // client makes the same for both providers.
    activeProvider: 'cockroachdb',
    compilerWasm: {
      importName: './none.js',
      getRuntime: async () => ({ QueryCompiler: NoCompiler, __wbg_set_wasm: () => undefined }),
      getQueryCompilerWasmModule: async () => new WebAssembly.Module(EMPTY_MODULE),
    },
  };
}
