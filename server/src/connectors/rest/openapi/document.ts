/** A JSON object of a document, whose shape is the other side's word. */
export type Described = Readonly<Record<string, unknown>>;

/** Access to an OpenAPI document (3.x, or Swagger 2.0), references resolved. Pure; never throws. */
export interface OpenApiDocument {
  readonly root: Described;
  /** The object that a value is, or refers to; undefined for anything else, such as a circle of references. */
  object(value: unknown): Described | undefined;
  /** References that were asked for and led nowhere. */
  readonly lost: ReadonlyMap<string, LostReference>;
}

export interface LostReference {
  /** `unread`: the document that it leads to is not at hand; `missing`: nothing stands there. */
  readonly why: 'unread' | 'missing' | 'circle';
  /** The document that it leads to, as the reference has it; empty for its own. */
  readonly location: string;
}

export function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A chain of references longer than this leads in a circle. */
export const longestChain = 20;

/** @param others Further documents, by the location that references name. */
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

/** The document that a reference names, empty for its own, and the place in it. */
export function splitReference(reference: string): readonly [location: string, pointer: string] {
  const at = reference.indexOf('#');
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
}

/** What `/components/schemas/Order` points to (RFC 6901); the document itself for an empty pointer. */
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
