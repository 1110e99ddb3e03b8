import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';

/** Told outside the table of rules: when an import is planned, and when the language server knows no catalog. */
const otherCodes = ['no-elements', 'catalog-unknown'];

describe('docs/rules.md', () => {
  it('has an entry for each code, and none for others', () => {
    const page = readFileSync('docs/rules.md', 'utf8');
    const documented = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');
    const codes = new Set(
      [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap(({ codes }) => codes).concat(otherCodes),
    );
    assert.deepEqual(documented.toSorted(), [...codes].toSorted());
  });
});
