import type { DataOf, RequestOf } from '../../api/contract.ts';

export type Flag = DataOf<'readFlag'>;
export type FlagQuery = NonNullable<RequestOf<'listFlags'>['query']>;
