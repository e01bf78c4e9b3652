import { z } from 'zod';

type Schema = z.core.$ZodType;

/**
 * The schema with the members of every object in the order of RFC 8785, by UTF-16 code units. What it reads is in that order,
 * so that its JSON text is the RFC 8785 form of what was sent, if no member of that was unknown. Undefined for a schema that
 * may change a value, or has parts that aren't known here: the text of what it reads may be another.
 */
export function inCanonicalOrder(schema: z.ZodObject): z.ZodObject | undefined {
  if (!made.has(schema)) made.set(schema, ordered(schema) as z.ZodObject | undefined);
  return made.get(schema);
}

const made = new WeakMap<z.ZodObject, z.ZodObject | undefined>();

function ordered(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (!onlyTests(def)) return undefined;
  switch (def.type) {
    case 'object':
      return orderedObject(schema, def);
    case 'array': {
      const element = ordered(def.element);
      return element && withDef(schema, { ...def, element });
    }
    case 'optional':
    case 'nullable': {
      const innerType = ordered(def.innerType);
      return innerType && withDef(schema, { ...def, innerType });
    }
    case 'string':
      // The formats that are schemas of their own may write a text anew.
      return def.coerce !== true && !('format' in def) ? schema : undefined;
    case 'number':
      return def.coerce !== true ? schema : undefined;
    default:
      return undefined;
  }
}

function orderedObject(schema: Schema, def: z.core.$ZodObjectDef): Schema | undefined {
  if (def.catchall !== undefined) return undefined;
  const shape: Record<string, Schema> = {};
  for (const name of Object.keys(def.shape).sort()) {
    const member = def.shape[name] && ordered(def.shape[name]);
    if (member === undefined) return undefined;
    shape[name] = member;
  }
  return withDef(schema, { ...def, shape });
}

function withDef(schema: Schema, def: z.core.$ZodTypeDef & Record<string, unknown>): Schema {
  return z.core.clone(schema, def);
}

/** Checks that look at a value and leave it as it is. */
const TESTS: readonly string[] = [
  'max_length',
  'min_length',
  'greater_than',
  'less_than',
  'number_format',
];

function onlyTests({ type, checks = [] }: z.core.$ZodTypeDef): boolean {
  const isScalar = type === 'string' || type === 'number';
  return checks.every((check) => {
    const { def } = check._zod;
    return TESTS.includes(def.check) || isRegex(def) || (isScalar && isRefinement(def));
  });
}

/** It is given the value alone, and a text or number cannot be changed. */
function isRefinement(def: z.core.$ZodCheckDef): boolean {
  return def.check === 'custom' && 'fn' in def;
}

function isRegex(def: z.core.$ZodCheckDef): boolean {
  return def.check === 'string_format' && 'format' in def && def.format === 'regex';
}
