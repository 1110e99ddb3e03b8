import assert from 'node:assert/strict';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';
import { diagnoseDataSources, diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import type { SqlJudge } from '../../../server/src/language/sql/sql-judge.ts';
import { toDiagnostic } from '../../../server/src/lsp/to-lsp.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { loadPostgresqlJudge } from '../../../server/src/sql/postgresql-judge.ts';
import { ruleExamples } from './rule-examples.ts';
import { catalog, sources } from './shop-catalog.ts';

/** Where the project is kept, as `package.json` says. */
const address = 'https://github.com/entity-graph/entity-graph-vscode';

/** Codes that no pure rule gives alone: of a plan to import, of a source that the language server cannot ask, of an engine. */
const outside = ['no-elements', 'catalog-unknown', 'sql-error'];

describe('docs/rules.md', () => {
  let sqlJudge: SqlJudge;
  before(async () => (sqlJudge = await loadPostgresqlJudge()));

  it('has an entry for every code, and no other', () => {
    const codes = [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap((check) => check.codes);
    assert.deepEqual(ruleExamples.map(({ code }) => code).toSorted(), [...new Set([...codes, ...outside])].toSorted());
  });

  it('is where each diagnostic leads, at the heading of its code', () => {
    for (const { code } of ruleExamples) {
      const { codeDescription } = toDiagnostic(
        { code, severity: 'error', message: '', range: { start: 0, end: 0 } },
        'file:///a.entity.yaml',
        createLineIndex(''),
      );
      // A heading of one word in lower case is its own anchor.
      assert.match(code, /^[a-z-]+$/);
      assert.equal(codeDescription?.href, `${address}/blob/HEAD/docs/rules.md#${code}`);
    }
  });

  for (const { code, text, example } of ruleExamples.filter((entry) => !outside.includes(entry.code))) {
    it(`shows an example of ${code}, and how to mend it`, () => {
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
