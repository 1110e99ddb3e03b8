import { brokenGuards } from '../../../server/src/language/imported-guards.ts';
import { guardKey } from '../../../server/src/model/guard.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { graphChecks, sourcesChecks } from '../../../server/src/language/checks/index.ts';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { SourceError } from '../../../server/src/connectors/source-error.ts';
import { yamlSyntax } from '../../../server/src/language/checks/yaml-syntax.ts';
import { planImport } from '../../../server/src/import/plan-import.ts';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { catalogUnknown } from '../../../server/src/language/catalog-knowledge.ts';
import type { Finding } from '../../../protocol/findings.ts';
import { dataFindings, importedFindings } from '../../../server/src/language/imported-findings.ts';
import { brokenExpectations, importedExpectations } from '../../../server/src/language/imported-expectations.ts';
import { importedMeasures, missedTargets } from '../../../server/src/language/imported-measures.ts';
import { brokenRules, importedRules } from '../../../server/src/language/imported-rules.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { readClientForms } from '../../../server/src/lsp/client-forms.ts';
import { rulePage, toDiagnostic } from '../../../server/src/lsp/features/to-diagnostic.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { type ProblemCode, rules } from '../../../server/src/model/rules.ts';
import { checkOnline } from '../../../server/src/operations/validation/check-online.ts';
import { openDuckDbValidator } from '../../../server/src/operations/validation/duckdb-validator.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { ruleExamples } from './rule-examples.ts';
import { catalog, sources } from './shop-catalog.ts';

/** The repository, from `package.json`. */
const address = 'https://github.com/entity-graph/entity-graph-vscode';

const oddTimes: Finding = {
  ...{ kind: 'midnight-times', severity: 'warning', element: 'Place Order', column: 'placed_at' },
  ...{ message: 'Some are at midnight.', remedy: 'Take another column.', count: 20, of: 100, counts: 'events' },
  ...{ explains: 0.1, explainsVariants: 0.3, explainsViolations: null, examples: [] },
};

/** Codes whose examples are valid by themselves: they concern an import plan, the catalog, or an engine. */
const outside: Readonly<Record<string, (example: string) => readonly Problem[] | Promise<readonly Problem[]>>> = {
  'no-elements': (text) => {
    const plan = planImport(parseEntityGraph(text).graph, catalog);
    return 'problems' in plan ? plan.problems : [];
  },
  // The real reproduction would fill the page.
  'too-large': (text) => validateEntityGraph({ text, parsed: createGraphParser(25).parse(text), sources, catalog }),
  'source-incomplete': (text) => {
    const known = { warnings: ['openapi.yaml refers to common.yaml, which is not there.'], complete: false };
    return validateDataSources({ text, catalogs: new Map([['api', known]]) });
  },
  'paging-unclear': async (text) => {
    const refusal = new SourceError(
      'paging-unclear',
      'The endpoint orders has more records than the 10 that were read.',
    );
    const connector = { checkQueries: async (queries: readonly unknown[]) => queries.map(() => refusal) };
    return checkOnline(parseEntityGraph(text), catalog, 'shop', connector, [], {});
  },
  'catalog-unknown': (text) => catalogUnknown(parseEntityGraph(text).graph, undefined, 'It was never read.'),
  'rule-broken': (text) => {
    const { graph } = parseEntityGraph(text);
    const counts = { judged: 3, broken: 1, pending: 0, undecided: 0, holds: false };
    return brokenRules(graph, text, importedRules(text, [{ name: 'Orders have a note', ...counts }]));
  },
  'measure-missed': (text) => {
    const { graph } = parseEntityGraph(text);
    const numbers = { unit: 'ms', count: 3, missing: 0, mean: 1, median: 1, p90: 1 } as const;
    const found = { name: 'Lead time', met: false, missed: ['median at most 5 d: 6 d'], ...numbers };
    return missedTargets(graph, text, importedMeasures(text, [found]));
  },
  'guard-broken': (text) => {
    const { graph } = parseEntityGraph(text);
    const stoppedBy = graph.guards.map((guard) => ({ guard: guardKey(guard), message: 'Place Order has 1 event.' }));
    return brokenGuards(graph, { stoppedBy, broken: [] });
  },
  'accepted-stale': (text) => dataFindings(parseEntityGraph(text), importedFindings(text, [])),
  'data-finding': (text) => dataFindings(parseEntityGraph(text), importedFindings(text, [oddTimes])),
  'expectation-broken': (text) => {
    const { graph } = parseEntityGraph(text);
    const counts = { judged: 3, broken: 1, holds: false, warning: '1 of 3 rows of "Place Order" has no note.' };
    const found = { element: 'Place Order', expectation: 'notNull', index: 0, columns: ['note'], ...counts } as const;
    return brokenExpectations(graph, text, importedExpectations(text, [found]));
  },
  'sql-error': async (text) => {
    const duckdb = openDuckDbValidator();
    // As for files: names only, with their own types.
    const objects = catalog.objects.map((object) => ({
      ...object,
      path: [object.name],
      columns: object.columns.map((column) => ({ ...column, type: column.type.replace(/ without.*/, '') })),
    }));
    const files: Catalog = { ...catalog, dialect: 'duckdb', objects };
    const diagnose = () => validateEntityGraph({ text, sources, catalog: files, sqlValidator: duckdb.validator });
    try {
      let problems = diagnose();
      for (; duckdb.isPending(); problems = diagnose()) await duckdb.answered();
      return problems;
    } finally {
      await duckdb.close();
    }
  },
};

const codes = Object.keys(rules) as readonly ProblemCode[];

describe('docs/rules.md', () => {
  let sqlValidator: SqlValidator;
  before(async () => (sqlValidator = await loadPostgresqlValidator()));

  it('has one entry per code, in the order of the rules', () => {
    assert.deepEqual(
      ruleExamples.map(({ code }) => code),
      codes,
    );
  });

  it('has each entry linked in docs/language.md', () => {
    const text = readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8');
    const linked = new Set([...text.matchAll(/\(rules\.md#([a-z-]+)\)/g)].map(([, code]) => code));
    assert.deepEqual(
      codes.filter((code) => !linked.has(code)),
      [],
    );
  });

  it('lists no code that is never reported', () => {
    const reported = [yamlSyntax, ...graphChecks, ...sourcesChecks].flatMap((check) => check.codes);
    assert.deepEqual([...new Set([...reported, ...Object.keys(outside)])].toSorted(), codes.toSorted());
  });

  for (const code of codes) {
    it(`lists the severities of ${code}, the usual one first`, () => {
      const text = ruleExamples.find((entry) => entry.code === code)?.text ?? '';
      const lead = text.slice(text.indexOf('*'), text.indexOf('.*'));
      assert.deepEqual(lead.toLowerCase().match(/error|warning|information/g), rules[code].severities);
    });
  }

  it('is the link target of each diagnostic, at the heading of its code', () => {
    const problem = { code: 'yaml-syntax', severity: 'error', message: '', range: { start: 0, end: 0 } } as const;
    const { codeDescription } = toDiagnostic(
      problem,
      { uri: 'file:///a.entity.yaml', lines: createLineIndex('') },
      readClientForms({ textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } }),
    );
    assert.equal(codeDescription?.href, `${address}/blob/HEAD/docs/rules.md#yaml-syntax`);
    for (const code of codes) {
      // A heading of one lower-case word is its own anchor.
      assert.match(code, /^[a-z-]+$/);
      assert.equal(rulePage(code), `${address}/blob/HEAD/docs/rules.md#${code}`);
    }
  });

  for (const { code, text, example } of ruleExamples) {
    it(`has an example of ${code} and its fix`, async () => {
      const problems = outside[code]
        ? await outside[code](example)
        : /^dataSources:/m.test(example)
          ? validateDataSources({ text: example, usedSources: new Set(['shop']) })
          : validateEntityGraph({ text: example, sources, catalog, sqlValidator });
      assert.deepEqual(
        problems.map((problem) => problem.code),
        [code],
      );
      assert.match(text, /\*\*Mend it\*\*/);
    });
  }
});
