import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Tokens } from 'marked';
import { parse, stringify } from 'yaml';
import { validateDataSources, validateEntityGraph } from '../../server/src/language/validation/validate-graph.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { showQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { parseDataSources } from '../../server/src/model/parse-data-sources.ts';
import { graphTables, graphViews } from '../../server/src/graph-schema/graph-schema.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { changeParts, kindsOfPart } from '../../protocol/graph-changes.ts';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import type { ImportSlice } from '../../protocol/import-request.ts';
import { type DocSection, semanticsSections } from '../support/doc-pages.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';

const sections = semanticsSections();

/** Sections with files are imported; the results they show must be true. */
const examples = sections.filter(({ tokens }) => tokens.some((token) => fileName(token) !== undefined));

describe('docs/semantics/', () => {
  it('has examples in every section of rules', () => {
    const groups = new Set(examples.map(({ title }) => title.split('.')[0]));
    assert.deepEqual([...groups], ['20', '4', '5', '6', '7', '9', '10', '11', '18', '13', '8']);
  });

  for (const example of examples) it(example.title, () => runExample(example));

  it('contains a valid data sources file and a valid entity graph', () => {
    const [graph = '', sources = ''] = ['2.1', '3.1'].map((number) => blocks(section(number), 'yaml').join('\n'));
    assert.deepEqual(validateDataSources({ text: sources }), []);
    assert.deepEqual(validateEntityGraph({ text: graph, sources: parseDataSources(sources).sources }), []);
  });

  it('shows the core SELECT of an element', async () => {
    await withProject(filesOf(section('4.2')), async ({ folder }) => {
      const projectContext = { permitUses: permitAllUses, readSecret: async () => undefined, environment: {} };
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
      const { steps } = await showQuery(file, { kind: 'element', name: 'Place Order' }, projectContext);
      const core = steps.filter(({ role }) => role === 'core').map(({ text }) => text);
      assert.deepEqual(core, blocks(section('12.1'), 'sql'));
    });
  });

  it('lists the tables, views and columns of a store', async () => {
    const files = filesOf(section('4.8'));
    const rules = 'rules: [{ name: Named, each: { entityType: customer }, expect: [{ sql: city IS NOT NULL }] }]\n';
    const withEnd = (files['graph.entity.yaml'] ?? '').replace(
      /( *)startTimestamp: placed/,
      '$&\n$1endTimestamp: placed',
    );
    const measures = 'measures: [{ name: Counted, each: { entityType: customer }, count: {} }]\n';
    const graph = `${withEnd}${rules}${measures}`;
    await withProject({ ...files, 'graph.entity.yaml': graph }, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      const columns = `string_agg('\`' || column_name || '\` ' || data_type, ', ' ORDER BY column_index)`;
      const listOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
      const stored = (await project.read((store) => storedTables(store))).map(({ name }) => name);
      const tables = await project.rows(
        `SELECT table_name, ${columns} FROM duckdb_columns() WHERE schema_name = 'main' AND table_name IN (${listOf(stored)}) GROUP BY 1 ORDER BY 1`,
      );
      const listed = new Map(
        firstTable(section('13.1')).map(([name = '', described = '']) => [unquoted(name), described]),
      );
      assert.deepEqual(
        tables
          .map(([name]) => String(name).replace(/\d+$/, '<n>'))
          .filter((name, index, all) => all.indexOf(name) === index),
        [...listed.keys()].sort(),
      );
      for (const [name, described] of tables) {
        if (name !== 'run' && !/(properties|values)_\d/.test(String(name)))
          assert.equal(listed.get(String(name)), described);
      }
      const views = await project.rows(
        `SELECT table_name, string_agg('\`' || column_name || '\`', ', ' ORDER BY column_index) FROM duckdb_columns()
          WHERE table_name IN (${listOf(Object.keys(graphViews))}) GROUP BY 1 ORDER BY 1`,
      );
      const shown = firstTable(section('13.2')).map(([name = '', described]) => [unquoted(name), described]);
      assert.deepEqual(
        views,
        shown.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
      );
    });
    const run = tableOf(section('13.3')).flatMap(([names = '']) => names.split(', ').map(unquoted));
    assert.deepEqual(run.toSorted(), Object.keys(graphTables.run.columns).toSorted());
  });
});

/** The files as they are now, in examples of what changes. */
function changedFilesOf(example: DocSection): Readonly<Record<string, string>> {
  const files = example.tokens.flatMap((token) => {
    const [, name] = /^csv (\S+) now$/.exec(infoOf(token)) ?? [];
    return name === undefined ? [] : [[name, `${(token as Tokens.Code).text}\n`] as const];
  });
  const [graph] = example.tokens.flatMap((token) => (infoOf(token) === 'yaml now' ? (token as Tokens.Code).text : []));
  return {
    ...Object.fromEntries(files),
    ...(graph !== undefined && { 'graph.entity.yaml': wholeGraph(parse(graph)) }),
  };
}

async function runChange(example: DocSection): Promise<void> {
  await withProject(filesOf(example), async (project) => {
    assert.equal((await project.import()).status, 'imported');
    await project.write(changedFilesOf(example));
    assert.equal((await project.import()).status, 'imported');
    const args = ['diff', 'graph.entity.yaml', '--workspace', project.folder, '--format', 'json'];
    const { changes } = JSON.parse((await runCommand(args, project.folder)).stdout) as GraphDiff;
    const found = changeParts.flatMap((part) =>
      changes[part].flatMap((change) =>
        kindsOfPart[part].flatMap((kind) =>
          (change[kind] ?? 0) > 0 ? [[part, change.name, kind, String(change[kind])]] : [],
        ),
      ),
    );
    assert.deepEqual(found, tableOf(example));
  });
}

async function runExample(example: DocSection): Promise<void> {
  if (Object.keys(changedFilesOf(example)).length > 0) return runChange(example);
  await withProject(filesOf(example), async (project) => {
    const summary = await project.import({ request: { kind: 'build', ...sliceOf(example) } });
    const refused = /The import is refused with `([a-z-]+)`(?:[^*]*\*([^*]+)\*)?/.exec(example.text);
    if (refused) {
      const [, code, message] = refused;
      assert.equal(summary.status, 'failed');
      assert.equal(summary.error?.code, code, summary.error?.message);
      if (message !== undefined) assert.equal(summary.error?.message, message);
      return;
    }
    assert.equal(summary.status, 'imported', summary.error?.message);
    assert.deepEqual(
      summary.warnings.map((warning) => `warning: ${warning}`),
      blocks(example, 'text').flatMap((block) => block.split('\n')),
    );
    await compareResult(example, project);
  });
}

async function compareResult(example: DocSection, project: ImportedProject): Promise<void> {
  const [sql = '', ...others] = blocks(example, 'sql');
  assert.deepEqual(others, []);
  const { columns, rows } = await project.read((store) => store.table(sql));
  assert.deepEqual(
    [columns.map(({ name }) => name), ...rows.map((row) => row.map(String))],
    [headerOf(example), ...tableOf(example)],
  );
}

/** The options of the example's command. */
function sliceOf(example: DocSection): ImportSlice {
  const command = blocks(example, 'sh').join('\n');
  const [, sample] = /--sample (\d+)/.exec(command) ?? [];
  const [, since] = /--since (\S+)/.exec(command) ?? [];
  return { ...(sample && { sample: Number(sample) }), ...(since && { since: new Date(since).toISOString() }) };
}

/** The files of an example, with common settings added to those of its source. */
function filesOf({ tokens }: DocSection): Readonly<Record<string, string>> {
  const data = tokens.flatMap((token) => {
    const name = fileName(token);
    return name === undefined ? [] : [[name, `${(token as Tokens.Code).text}\n`] as const];
  });
  const [shown = ''] = tokens.flatMap((token) => codeOf(token, 'yaml') ?? []);
  const { dataSources, ...graph } = parse(shown) as { readonly dataSources?: { readonly shop?: object } };
  return {
    ...Object.fromEntries(data),
    'graph.entity.yaml': wholeGraph(graph),
    'entity-sources.yaml': stringify({
      version: 1,
      dataSources: { shop: { kind: 'csv', path: '*.csv', ...dataSources?.shop } },
    }),
  };
}

function wholeGraph(shown: unknown): string {
  return stringify({ version: 1, dataSource: 'shop', ...(shown as object) });
}

/** The name of the file that a code block shows. */
function fileName(token: DocSection['tokens'][number]): string | undefined {
  return /^(?:csv|jsonl) (\S+)$/.exec(infoOf(token))?.[1];
}

function section(number: string): DocSection {
  const found = sections.find(({ title }) => title.startsWith(`${number} `));
  assert.ok(found, `There is no section ${number}.`);
  return found;
}

function blocks({ tokens }: DocSection, language: string): readonly string[] {
  return tokens.flatMap((token) => codeOf(token, language) ?? []);
}

/** The text of a code block of this language. */
function codeOf(token: DocSection['tokens'][number], language: string): string | undefined {
  return infoOf(token).split(' ')[0] === language ? (token as Tokens.Code).text : undefined;
}

function infoOf(token: DocSection['tokens'][number]): string {
  return token.type === 'code' ? ((token as Tokens.Code).lang ?? '') : '';
}

/** The last table of a section, which shows its result. */
function lastTable({ tokens }: DocSection): Tokens.Table | undefined {
  return tokens.findLast((token) => token.type === 'table') as Tokens.Table | undefined;
}

function headerOf(example: DocSection): readonly string[] {
  return lastTable(example)?.header.map(({ text }) => text) ?? [];
}

function tableOf(example: DocSection): readonly (readonly string[])[] {
  return lastTable(example)?.rows.map((row) => row.map(({ text }) => text)) ?? [];
}

function firstTable({ tokens }: DocSection): readonly (readonly string[])[] {
  const found = tokens.find((token) => token.type === 'table') as Tokens.Table | undefined;
  return found?.rows.map((row) => row.map(({ text }) => text)) ?? [];
}

function unquoted(text: string): string {
  return text.replaceAll('`', '');
}
