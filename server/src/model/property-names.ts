import type { SelectedProperty } from './entity-graph.ts';
import type { Problem } from './problem.ts';
import type { Located } from './source-range.ts';

/**
 * Invalid explicit names of properties (docs/semantics.md#104-names-of-their-own): that of another property, ignoring
 * case, and that of the column with the id. Conflicting column names are numbered instead.
 */
export function nameProblems(properties: readonly SelectedProperty[], of: 'event' | 'entity'): readonly Problem[] {
  if (!properties.some(({ name }) => name)) return [];
  const first = new Map<string, Located<string>>();
  return properties.flatMap((property): readonly Problem[] => {
    const called = property.name ?? property;
    const key = called.value.toLowerCase();
    if (property.name && key === `${of}_id`) {
      const message = `"${called.value}" is what the id of the ${of} is called. Give the property another name.`;
      return [{ code: 'property-name', severity: 'error', message, range: called.range }];
    }
    const before = first.get(key);
    if (!before) {
      first.set(key, called);
      return [];
    }
    const isGiven = property.name !== undefined || properties.some(({ name }) => name === before);
    if (!isGiven) return [];
    return [
      {
        code: 'property-name',
        severity: 'error',
        message: `Another property of this entry is called "${before.value}" already. Give one of them another name.`,
        range: called.range,
        related: [{ message: 'The first one is here.', range: before.range }],
      },
    ];
  });
}
