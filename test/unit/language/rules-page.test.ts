import assert from 'node:assert/strict';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';
import { planImport } from '../../../server/src/import/plan-import.ts';
import { diagnoseDataSources, diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import { catalogUnknown } from '../../../server/src/language/catalog-knowledge.ts';
import type { SqlJudge } from '../../../server/src/language/sql/sql-judge.ts';
import { toDiagnostic } from '../../../server/src/lsp/to-lsp.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { openDuckDbJudge } from '../../../server/src/operations/duckdb-judge.ts';
import { loadPostgresqlJudge } from '../../../server/src/sql/postgresql-judge.ts';
import { ruleExamples } from './rule-examples.ts';
import { catalog, sources } from './shop-catalog.ts';

/** Where the project is kept, as `package.json` says. */
const address = 'https://github.com/entity-graph/entity-graph-vscode';

/** Codes of examples that are no mistake on their own: of a plan to import, of what is known of the source, of an engine. */
const outside: Readonly<Record<string, (example: string) => readonly Problem[] | Promise<readonly Problem[]>>> = {
  'no-elements': (text) => {
    const plan = planImport(parseEntityGraph(text).graph, catalog);
    return 'problems' in plan ? plan.problems : [];
  },
  // What it takes in earnest would fill the page.
  'too-large': (text) => diagnoseEntityGraph({ text, parsed: createGraphParser(25).parse(text), sources, catalog }),
  'source-incomplete': (text) => {
    const known = { warnings: ['openapi.yaml refers to common.yaml, which is not there.'], complete: false };
    return diagnoseDataSources({ text, catalogs: new Map([['api', known]]) });
  },
  'catalog-unknown': (text) => catalogUnknown(parseEntityGraph(text).graph, undefined, 'It was never read.'),
  'sql-error': async (text) => {
    const duckdb = openDuckDbJudge();
    // As it knows files: by their names alone, with types of its own.
    const objects = catalog.objects.map((object) => ({
      ...object,
      path: [object.name],
      columns: object.columns.map((column) => ({ ...column, type: column.type.replace(/ without.*/, '') })),
    }));
    const files: Catalog = { ...catalog, dialect: 'duckdb', objects };
    const diagnose = () => diagnoseEntityGraph({ text, sources, catalog: files, sqlJudge: duckdb.judge });
    try {
      let problems = diagnose();
      for (; duckdb.isPending(); problems = diagnose()) await duckdb.answered();
      return problems;
    } finally {
      await duckdb.close();
    }
  },
};

describe('docs/rules.md', () => {
  let sqlJudge: SqlJudge;
  before(async () => (sqlJudge = await loadPostgresqlJudge()));

  it('has an entry for every code, and no other', () => {
    const codes = [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap((check) => check.codes);
    assert.deepEqual(
      ruleExamples.map(({ code }) => code).toSorted(),
      [...new Set([...codes, ...Object.keys(outside)])].toSorted(),
    );
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

  for (const { code, text, example } of ruleExamples) {
    it(`shows an example of ${code}, and how to mend it`, async () => {
      const problems = outside[code]
        ? await outside[code](example)
        : /^dataSources:/m.test(example)
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
