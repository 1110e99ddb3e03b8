/** Names of secrets and of environment variables that settings take values from; never the values. */
export interface ReferenceNames {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
}

/** The names in `${secret:NAME}` and `${env:NAME}` anywhere in the settings of a source, each once. */
export function referenceNames(settings: unknown): ReferenceNames {
  const found = textsIn(settings).flatMap((text) => [...text.matchAll(/\$\{(secret|env):([^}]*)\}/g)]);
  const named = (kind: string): readonly string[] => [
    ...new Set(found.flatMap(([, of, name = '']) => (of === kind ? [name.trim()] : []))),
  ];
  return { secrets: named('secret'), variables: named('env') };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
}
