/** A JSON object of an untrusted document. */
export type Described = Readonly<Record<string, unknown>>;

/** Access to an OpenAPI document (3.x, or Swagger 2.0) with reference resolution. Pure; never throws. */
export interface OpenApiDocument {
  readonly root: Described;
  /** Resolves a value to an object; undefined for other values, and for circular references. */
  object(value: unknown): Described | undefined;
  /** Unresolved references. */
  readonly lost: ReadonlyMap<string, LostReference>;
}

export interface LostReference {
  /** `unread`: the target document is not loaded; `missing`: the target does not exist. */
  readonly why: 'unread' | 'missing' | 'circle';
  /** The target document as written in the reference; empty for the same document. */
  readonly location: string;
}

export function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum length of a chain of references. */
export const longestChain = 20;

/** @param others further documents, by the location in references. */
export function openApiDocument(
  root: Described,
  others: ReadonlyMap<string, unknown> = new Map<string, unknown>(),
): OpenApiDocument {
  const lost = new Map<string, LostReference>();
  return {
    root,
    lost,
    object(value) {
      let found: unknown = value;
      let reference: string | undefined;
      for (let steps = 0; steps < longestChain; steps += 1) {
        if (!isDescribed(found)) {
          if (reference !== undefined) lost.set(reference, { why: 'missing', location: splitReference(reference)[0] });
          return undefined;
        }
        const next = found['$ref'];
        if (typeof next !== 'string') return found;
        reference = next;
        const [location, pointer] = splitReference(next);
        const document = location === '' ? root : others.get(location);
        if (document === undefined) {
          lost.set(next, { why: 'unread', location });
          return undefined;
        }
        found = target(document, pointer);
      }
      if (reference !== undefined) lost.set(reference, { why: 'circle', location: splitReference(reference)[0] });
      return undefined;
    },
  };
}

/** Splits a reference into its document (empty for the same one) and its pointer. */
export function splitReference(reference: string): readonly [location: string, pointer: string] {
  const at = reference.indexOf('#');
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
}

/** Resolves a JSON pointer such as `/components/schemas/Order` (RFC 6901); empty for the document itself. */
function target(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => partOf(value, name), document);
}

function partOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Described)[name];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
