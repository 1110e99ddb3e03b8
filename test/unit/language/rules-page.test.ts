import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';
import { diagnoseDataSources, diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import type { SqlJudge } from '../../../server/src/language/sql/sql-judge.ts';
import { loadPostgresqlJudge } from '../../../server/src/sql/postgresql-judge.ts';
import { catalog, sources } from './shop-catalog.ts';

const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');

/** Codes with their entries, in the order of the page. */
const entries = page
  .split(/^### /m)
  .slice(1)
  .map((entry) => ({ code: entry.slice(0, entry.indexOf('\n')).trim(), text: entry }));

/** Codes that no pure rule gives alone: of a plan to import, of a source that the language server cannot ask, of an engine. */
const outside = ['no-elements', 'catalog-unknown', 'sql-error'];

describe('docs/rules.md', () => {
  let sqlJudge: SqlJudge;
  before(async () => (sqlJudge = await loadPostgresqlJudge()));

  it('has an entry for every code, and no other', () => {
    const codes = [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap((check) => check.codes);
    assert.deepEqual(entries.map(({ code }) => code).toSorted(), [...new Set([...codes, ...outside])].toSorted());
  });

  for (const { code, text } of entries.filter((entry) => !outside.includes(entry.code))) {
    it(`shows an example of ${code}, and how to mend it`, () => {
      const example = /```yaml\n([^]*?)```/.exec(text)?.[1] ?? '';
      const problems = /^dataSources:/m.test(example)
        ? diagnoseDataSources({ text: example, usedSources: new Set(['shop']) })
        : diagnoseEntityGraph({ text: example, sources, catalog, sqlJudge });
      assert.deepEqual(
        problems.map((problem) => problem.code),
        [code],
      );
      assert.match(text, /\*\*Mend it\*\*/);
    });
  }
});
