import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import type { Fix } from '../../../server/src/language/quick-fixes/quick-fix.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { fixesOfSources } from '../../../server/src/language/quick-fixes/sources-fixes.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { ruleExamples } from './rule-examples.ts';
import { catalog, sources } from './shop-catalog.ts';

const order = (more: string): string =>
  `version: 1\ndataSource: shop\nelements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at${more} }]\n`;
const named = '{ name: r, source: A, target: A, mappings: [{ source: id, target: id }] }';

/** Common mistakes beyond the page's examples. */
const more: readonly (readonly [code: string, example: string])[] = [
  ['schema-value', 'version: 2\ndataSource: shop\n'],
  ['schema-value', 'version: 1\ndataSource: shop\nrelationships: [{ source: A, target: A, correlate: 5 }]\n'],
  ['schema-missing-property', 'x-owner: me\n'],
  ['schema-type', 'version: 1\ndataSource:\n'],
  ['schema-type', 'version: 1\ndataSource: shop\ndataObjects: orders\n'],
  ['schema-type', 'version: 1\ndataSource: [shop]\n'],
  ['schema-type', 'version: 1\ndataSources: { a: { kind: csv, path: x.csv, header: "true" } }\n'],
  ['schema-missing-property', 'version: 1\ndataSources: { a: { path: x.csv } }\n'],
  ['sql-not-contained', `${order(', where: id = 1;')}`],
  ['duplicate-relationship-name', `${order('')}relationships: [${named}, ${named}]\n`],
  ['relationship-draft', `${order('')}relationships: [{ name: r }]\n`],
  ['element-unconfigured', 'version: 1\ndataSource: shop\ndataObjects: [orders]\nelements:\n  - {}\n'],
  ['element-unconfigured', 'version: 1\ndataSource: shop\nelements:\n  - { dataObject: orders, startTimestamp: }\n'],
  ['selected-object-unused', 'version: 1\ndataSource: shop\ndataObjects: [orders]\nelements: [{ activityName: A }]\n'],
  ['schema-missing-property', 'version: 1\ndataSources: { shop: { kind: postgresql } }\n'],
  ['schema-value', 'version: 1\ndataSources: { shop: { kind: postgres } }\n'],
];

interface Found {
  readonly problems: readonly Problem[];
  readonly fixes: readonly (Fix & { readonly code: string })[];
}

describe('quick fixes in JSON files', () => {
  let sqlValidator: SqlValidator;
  before(async () => (sqlValidator = await loadPostgresqlValidator()));

  function found(text: string): Found {
    if (/dataSources/.test(text)) {
      const parsed = parseDataSources(text);
      const problems = validateDataSources({ text, parsed, usedSources: new Set(['shop']) });
      return { problems, fixes: problems.flatMap((each) => withCode(each, fixesOfSources(each, parsed))) };
    }
    const parsed = parseEntityGraph(text);
    const context = { parsed, sources, catalog, sqlValidator };
    const problems = validateEntityGraph({ text, ...context });
    return { problems, fixes: problems.flatMap((each) => withCode(each, fixesOf(each, context))) };
  }

  const examples = [...ruleExamples.map(({ code, example }) => [code, example] as const), ...more];
  for (const [code, example] of examples.filter(([each, text]) => each !== 'yaml-syntax' && text !== '')) {
    for (const indent of [undefined, 2]) {
      const twin = JSON.stringify(parse(example), null, indent);
      it(`equal those of YAML, and produce JSON: ${code} in ${twin.slice(0, 90).replaceAll(/\s+/g, ' ')}`, () => {
        const inYaml = found(example);
        const inJson = found(twin);
        const titles = ({ fixes }: Found): readonly string[] => fixes.map((fix) => `${fix.code}: ${fix.title}`);
        assert.deepEqual(titles(inJson), titles(inYaml));
        for (const { title, edits, preferred, code: mended } of inJson.fixes) {
          if (edits.length === 0) continue;
          const after = applyEdits(twin, edits);
          assert.doesNotThrow(() => void JSON.parse(after), `${title}: ${after}`);
          if (!preferred) continue;
          const left = found(after).problems.filter((problem) => problem.code === mended);
          const before = inJson.problems.filter((problem) => problem.code === mended);
          assert.ok(left.length < before.length, `${title}: ${after}`);
        }
      });
    }
  }
});

function withCode({ code }: Problem, fixes: readonly Fix[]): Found['fixes'] {
  return fixes.map((fix) => ({ ...fix, code }));
}
