import { isDescribed, type Described, type OpenApiDocument } from './document.ts';
import { propertiesOf } from './schema-columns.ts';

/** Maximum nesting depth, because schemas may be recursive. */
const maxDepth = 4;
/** Maximum number of properties. */
const maxProperties = 100;

interface Budget {
  left: number;
}

/**
 * An initial request body for a schema: its examples and defaults, else empty values by type. Read-only properties are
 * omitted.
 * @param isPart true for partial updates: contains required properties only.
 */
export function bodySkeleton(document: OpenApiDocument, schema: unknown, isPart: boolean): unknown {
  const isGiven = given(document.object(schema) ?? {}) !== undefined && !isPart;
  if (isGiven) return given(document.object(schema) ?? {});
  return skeleton(document, schema, { isPart, depth: 0, budget: { left: maxProperties } });
}

interface Place {
  readonly isPart: boolean;
  readonly depth: number;
  readonly budget: Budget;
}

function skeleton(document: OpenApiDocument, schema: unknown, place: Place): unknown {
  const own = document.object(schema) ?? {};
  const isTop = place.depth === 0;
  const known = given(own);
  if (known !== undefined && !isTop) return known;
  const properties = propertiesOf(document, own);
  if (properties.size > 0) return objectOf(document, own, properties, place);
  switch (typeOf(document, own)) {
    case 'array':
      return itemsOf(document, own['items'], place);
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return isTop || own['type'] === 'object' || own['additionalProperties'] !== undefined ? {} : null;
  }
}

function objectOf(
  document: OpenApiDocument,
  own: Described,
  properties: ReadonlyMap<string, unknown>,
  { isPart, depth, budget }: Place,
): unknown {
  const found: (readonly [string, unknown])[] = [];
  if (depth >= maxDepth) return {};
  const required = requiredOf(document, own);
  for (const [name, schema] of properties) {
    if (document.object(schema)?.['readOnly'] === true || (isPart && !required.has(name))) continue;
    if (budget.left === 0) break;
    budget.left -= 1;
    found.push([name, skeleton(document, schema, { isPart, depth: depth + 1, budget })]);
  }
  // A property may be named __proto__.
  return Object.fromEntries(found);
}

/** A list of objects starts with one example. */
function itemsOf(document: OpenApiDocument, items: unknown, { depth, ...place }: Place): readonly unknown[] {
  const hasProperties = propertiesOf(document, items).size > 0;
  return hasProperties && depth < maxDepth - 1 ? [skeleton(document, items, { ...place, depth: depth + 1 })] : [];
}

function requiredOf(document: OpenApiDocument, schema: unknown, depth = 0): ReadonlySet<string> {
  const own = document.object(schema);
  if (!own || depth > maxDepth) return new Set();
  const parts = Array.isArray(own['allOf']) ? own['allOf'] : [];
  const names: readonly unknown[] = Array.isArray(own['required']) ? own['required'] : [];
  return new Set([
    ...names.filter((each) => typeof each === 'string'),
    ...parts.flatMap((part) => [...requiredOf(document, part, depth + 1)]),
  ]);
}

/** Example or default of the document. */
function given(schema: Described): unknown {
  const { example, examples, default: fallback, const: only, enum: values } = schema;
  const first: unknown = Array.isArray(values) ? values[0] : undefined;
  return [only, example, Array.isArray(examples) ? (examples[0] as unknown) : undefined, fallback, first].find(
    (each) => each !== undefined,
  );
}

/** `type` may be a list with null in it, or part of a subschema. */
function typeOf(document: OpenApiDocument, { type, ...own }: Described, depth = 0): unknown {
  const types: readonly unknown[] = (Array.isArray(type) ? type : [type]).filter(
    (each) => each !== 'null' && each !== undefined,
  );
  if (types.length > 0 || depth > maxDepth) return types[0];
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => (Array.isArray(own[name]) ? own[name] : []) as unknown[]);
  return parts
    .map((part) => document.object(part))
    .filter(isDescribed)
    .map((part) => typeOf(document, part, depth + 1))
    .find((each) => each !== undefined);
}
