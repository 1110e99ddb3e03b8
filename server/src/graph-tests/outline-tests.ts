import type { OutlineSymbol } from '../language/document-symbols.ts';
import type { GraphTests } from './graph-tests.ts';
import { testName } from './test-name.ts';

/** The tests of a file. */
export function outlineGraphTests({ tests }: GraphTests): readonly OutlineSymbol[] {
  return tests.map((test) => ({
    name: testName(test),
    kind: 'test',
    range: test.range,
    selectionRange: test.name?.range ?? test.range,
    children: [],
  }));
}
