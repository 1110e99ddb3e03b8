import { deepEqual } from 'node:assert/strict';
import { testInsertion } from '../../../server/src/graph-tests/new-test.ts';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';

const one = 'graph: a.entity.yaml\ntests:\n  - name: one\n    expect: { events: [] }\n';

describe('a test that is added to a file', () => {
  const cases: readonly (readonly [title: string, before: string, after: string])[] = [
    [
      'stands behind a blank line after the only one',
      `${one}\n\n# The end\n`,
      `${one}\n  - name: new\n    given:\n\n\n# The end\n`,
    ],
    [
      'stands behind a blank line where others do',
      `${one}\n  - name: two\n`,
      `${one}\n  - name: two\n\n  - name: new\n    given:\n`,
    ],
    [
      'stands behind a blank line of Windows, too',
      `${one}\n  - name: two\n`.replaceAll('\n', '\r\n'),
      `${`${one}\n  - name: two`.replaceAll('\n', '\r\n')}\n\n  - name: new\n    given:\r\n`,
    ],
    [
      'stands close to the others where these stand close',
      `${one}  - name: two\n`,
      `${one}  - name: two\n  - name: new\n    given:\n`,
    ],
  ];
  for (const [title, before, after] of cases) {
    it(title, () => {
      const added = testInsertion(['name: new', 'given:'], parseGraphTests(before), before);
      const { offset = 0, text = '' } = added ?? {};
      deepEqual(before.slice(0, offset) + text + before.slice(offset), after);
    });
  }
});
