import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';
import { diagnoseDataSources, diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import type { SqlSyntaxCheck } from '../../../server/src/language/sql/sql-syntax-check.ts';
import { loadPostgresqlSyntax } from '../../../server/src/sql/postgresql-syntax.ts';
import { catalog, sources } from './shop-catalog.ts';

const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');

/** Codes with their entries, in the order of the page. */
const entries = page
  .split(/^### /m)
  .slice(1)
  .map((entry) => ({ code: entry.slice(0, entry.indexOf('\n')).trim(), text: entry }));

/** Codes that no pure rule gives: of a plan to import, and of a source that the language server cannot ask. */
const outside = ['no-elements', 'catalog-unknown'];

describe('docs/rules.md', () => {
  let sqlSyntax: SqlSyntaxCheck;
  before(async () => (sqlSyntax = await loadPostgresqlSyntax()));

  it('has an entry for every code, and no other', () => {
    const codes = [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap((check) => check.codes);
    assert.deepEqual(entries.map(({ code }) => code).toSorted(), [...new Set([...codes, ...outside])].toSorted());
  });

  for (const { code, text } of entries.filter((entry) => !outside.includes(entry.code))) {
    it(`shows an example of ${code}, and how to mend it`, () => {
      const example = /```yaml\n([^]*?)```/.exec(text)?.[1] ?? '';
      const problems = /^dataSources:/m.test(example)
        ? diagnoseDataSources({ text: example })
        : diagnoseEntityGraph({ text: example, sources, catalog, sqlSyntax });
      assert.deepEqual(
        problems.map((problem) => problem.code),
        [code],
      );
      assert.match(text, /\*\*Mend it\*\*/);
    });
  }
});
