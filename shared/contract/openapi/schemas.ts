import { z } from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Input is what a caller may send, output what the service answers. Defaults and extra members differ. */
export type SchemaDirection = 'input' | 'output';

export interface SchemaCollector {
  /** The JSON Schema of a zod schema. Every schema with an id becomes a reference into `schemas`. */
  convert(schema: z.ZodType, direction: SchemaDirection): JsonSchema;
  /** The named schemas of all conversions so far: `components.schemas`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const COMPONENTS = '#/components/schemas/';

/** The collector throws when two different schemas have the same id. */
export function makeSchemaCollector(): SchemaCollector {
  const schemas: Record<string, JsonSchema> = {};
  const convertUncached = (schema: z.ZodType, direction: SchemaDirection): JsonSchema => {
    // Inside a wrapper the schema itself becomes a reference too, if it has an id.
    const wrapped = z.toJSONSchema(z.object({ value: schema }), {
      io: direction,
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => tidy(jsonSchema),
    });
    const { properties, $defs } = pointToComponents(wrapped);
    for (const [id, definition] of Object.entries($defs ?? {})) {
      const known = schemas[id];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`Two schemas have the id ${id}.`);
      }
      schemas[id] = definition;
    }
    const value = properties['value'];
    if (value === undefined) throw new Error('The schema has no JSON Schema.');
    return value;
  };
  // Conversion is slow, and most endpoints share their schemas.
  const converted = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };
  return {
    schemas,
    convert(schema, direction) {
      const known = converted[direction].get(schema);
      if (known !== undefined) return known;
      const value = convertUncached(schema, direction);
      converted[direction].set(schema, value);
      return value;
    },
  };
}

interface Converted {
  readonly properties: Record<string, JsonSchema>;
  readonly $defs?: Record<string, JsonSchema>;
}

function pointToComponents(schema: object): Converted {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`));
}

const SELF_EXPLAINING_FORMATS = new Set(['date', 'date-time', 'uuid']);

/** Drops keywords that do not help a reader. Writes `anyOf: [T]` as `T`, and `anyOf: [T, null]` as `type: [T, null]`. */
function tidy(schema: Record<string, unknown>): void {
  mergeAlternatives(schema);
  // The rest applies to the merged schema too: zod may not have passed that part to `tidy` before.
  if (SELF_EXPLAINING_FORMATS.has(String(schema['format']))) delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
}

function mergeAlternatives(schema: Record<string, unknown>): void {
  const alternatives = schema['anyOf'];
  if (!Array.isArray(alternatives) || alternatives.length > 2) return;
  const [first, second] = alternatives as Record<string, unknown>[];
  if (first !== undefined && second === undefined) {
    delete schema['anyOf'];
    Object.assign(schema, first);
    return;
  }
  if (first === undefined || second?.['type'] !== 'null') return;
  if (typeof first['type'] !== 'string' || 'enum' in first || 'const' in first || 'id' in first)
    return;
  delete schema['anyOf'];
  Object.assign(schema, { ...first, type: [first['type'], 'null'] });
}

/** The parameters of path and query in OpenAPI's form. */
export function locatedParameters(
  { params, query }: { readonly params?: z.ZodObject; readonly query?: z.ZodObject },
  collector: SchemaCollector,
  examples: Readonly<Record<string, unknown>> = {},
): object[] {
  const located = [
    ...Object.entries(params?.shape ?? {}).map((field) => ['path', ...field] as const),
    ...Object.entries(query?.shape ?? {}).map((field) => ['query', ...field] as const),
  ];
  return located.map(([location, name, field]) => {
    const { description, ...schema } = collector.convert(field as z.ZodType, 'input');
    return {
      name,
      in: location,
      required: location === 'path',
      ...(description !== undefined && { description }),
      schema,
      ...(name in examples && { example: examples[name] }),
    };
  });
}
