import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';

/** Its examples have mistakes on purpose. Those of docs/semantics/ are parts of a file and are tested elsewhere. */
const others = new Set(['docs/rules.md']);

describe('examples of sources files', () => {
  const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))].filter(
    (page) => page.endsWith('.md') && !others.has(page),
  );
  const examples = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^( *)```yaml\n([^]*?)^ *```$/gm)].flatMap(
      ([, indent = '', block = '']) => {
        const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
        return /^dataSources:/m.test(text) && !/^elements:/m.test(text) ? [{ page, text }] : [];
      },
    ),
  );

  for (const { page, text } of examples) {
    it(`${page} › ${/kind: (\w+)/.exec(text)?.[1]} › has no errors`, () => {
      const errors = validateDataSources({ text }).filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        errors.map(({ message }) => message),
        [],
        text,
      );
    });
  }

  it('are found', () => assert.ok(examples.length > 10));
});
