import type { OutlineSymbol } from '../language/document-symbols.ts';
import type { GraphTests } from './graph-tests.ts';

/** The tests of a file. */
export function outlineGraphTests({ tests }: GraphTests): readonly OutlineSymbol[] {
  return tests.map(({ name, range, index }) => ({
    name: name?.value ?? `Test ${index + 1}`,
    kind: 'test',
    range,
    selectionRange: name?.range ?? range,
    children: [],
  }));
}
