/** A JSON object of a document, whose shape is the other side's word. */
export type Described = Readonly<Record<string, unknown>>;

/** Access to an OpenAPI document (3.x, or Swagger 2.0), references resolved. Pure; never throws. */
export interface OpenApiDocument {
  readonly root: Described;
  /** The object that a value is, or refers to within the document; undefined for anything else, such as a circle of references. */
  object(value: unknown): Described | undefined;
}

export function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A chain of references longer than this leads in a circle. */
const longestChain = 20;

export function openApiDocument(root: Described): OpenApiDocument {
  return {
    root,
    object(value) {
      let found: unknown = value;
      for (let steps = 0; steps < longestChain; steps += 1) {
        if (!isDescribed(found)) return undefined;
        const reference = found['$ref'];
        if (typeof reference !== 'string') return found;
        found = target(root, reference);
      }
      return undefined;
    },
  };
}

/** What `#/components/schemas/Order` points to; references to other documents lead nowhere. */
function target(root: Described, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (isDescribed(value) ? value[name] : undefined), root);
}
