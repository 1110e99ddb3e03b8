/** Names of referenced secrets and environment variables, never their values. */
export interface ReferenceNames {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
}

/** A `${secret:NAME}` or `${env:NAME}` in a text. */
export interface TextReference {
  readonly kind: 'secret' | 'env';
  readonly name: string;
  /** Offset of the dollar sign. */
  readonly start: number;
  /** Offset after the brace. */
  readonly end: number;
}

/** A setting with references. */
export interface ReferringSetting {
  /** Such as `auth.password` or `endpoints[0].path`. */
  readonly path: string;
  readonly text: string;
  readonly references: readonly TextReference[];
}

/** The references in a text, in order. */
export function referencesIn(text: string): readonly TextReference[] {
  return [...text.matchAll(/\$\{(secret|env):([^}]*)\}/g)].map((found) => ({
    kind: found[1] as TextReference['kind'],
    name: (found[2] ?? '').trim(),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** The settings with references, at any depth. */
export function referringSettings(settings: unknown): readonly ReferringSetting[] {
  const found: ReferringSetting[] = [];
  mapTexts(settings, (text, path) => {
    const references = referencesIn(text);
    if (references.length > 0) found.push({ path, text, references });
    return text;
  });
  return found;
}

/** The distinct names of `${secret:NAME}` and `${env:NAME}` in the settings of a source. */
export function referenceNames(settings: unknown): ReferenceNames {
  const found = referringSettings(settings).flatMap(({ references }) => references);
  const named = (wanted: TextReference['kind']): readonly string[] => [
    ...new Set(found.flatMap(({ kind, name }) => (kind === wanted ? [name] : []))),
  ];
  return { secrets: named('secret'), variables: named('env') };
}

/** A copy of the value with each text, at any depth, replaced by the result of `change`. */
export function mapTexts(value: unknown, change: (text: string, path: string) => string, path = ''): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapTexts(each, change, path === '' ? key : `${path}.${key}`)]),
  );
}
