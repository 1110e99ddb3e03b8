import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAsked, settingsOf } from '../../client/src/source-kinds/source-settings.ts';
import type { SourceKindView } from '../../protocol/source-kinds.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { sourceKindView } from '../../server/src/connectors/source-kind.ts';
import { addSourceKind, sourceKinds } from '../../server/src/connectors/source-kinds.ts';
import { addDialect } from '../../server/src/dialects/index.ts';
import { completeEntityGraph } from '../../server/src/language/completion/complete.ts';
import { completeDataSources } from '../../server/src/language/completion/complete-data-sources.ts';
import { validateDataSources } from '../../server/src/language/validation/validate-graph.ts';
import { fixesOfSources } from '../../server/src/language/quick-fixes/sources-fixes.ts';
import { addDataSource } from '../../server/src/model/edits/add-data-source.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { parseDataSources } from '../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { showQuery, testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { sourceFiles } from '../../server/src/project/source-files.ts';
import { graphText, withGraph } from '../support/import-text.ts';
import { journalDialect } from '../support/journal-kind/dialect.ts';
import { journalKind } from '../support/journal-kind/source-kind.ts';

const project = {
  'journal.txt': '1;opened;2024-05-01T08:00:00\n2;closed;2024-05-01T09:30:00\n3;opened;2024-05-02T10:00:00\n',
  'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: journal, file: journal.txt }\n',
  'graph.entity.yaml': graphText(
    "  - { activityName: Open, dataObject: entry, startTimestamp: at, properties: [what], where: what = 'opened' }\n" +
      "  - { activityName: Close, dataObject: entry, entityType: closing, startTimestamp: at, where: what = 'closed' }\n",
    '  - { name: closed after, source: Close, target: Open, mappings: [{ source: what, operator: "!=", target: what }] }\n',
  ),
};
const projectContext: ProjectContext = {
  permitUses: permitAllUses,
  readSecret: async () => undefined,
  environment: {},
};
const target = { kind: 'element', name: 'Open' } as const;

const sourcesText = (settings: string): string => `version: 1\ndataSources:\n  shop: ${settings}\n`;
const messagesFor = (settings: string): readonly string[] =>
  validateDataSources({ text: sourcesText(settings) }).map(({ message }) => message);

/** The completion proposals at `<|>`. */
function proposed(marked: string): readonly string[] {
  const offset = marked.indexOf('<|>');
  const parsed = parseDataSources(marked.replace('<|>', ''));
  return completeDataSources({ parsed }, offset).map(({ label }) => label);
}

describe('a new source kind with its own dialect, added by one folder and one line in each registry', () => {
  const added: (() => void)[] = [];
  before(() => {
    assert.match(messagesFor('{ kind: journal, file: journal.txt }').join(), /"kind" must be one of/);
    added.push(addDialect(journalDialect), addSourceKind(journalKind));
  });
  after(() => {
    for (const remove of added) remove();
    assert.match(messagesFor('{ kind: journal, file: journal.txt }').join(), /"kind" must be one of/);
  });

  it('is validated', () => {
    assert.deepEqual(messagesFor('{ kind: journal, file: journal.txt, separator: "," }'), []);
    assert.deepEqual(messagesFor('{ kind: journal, file: a.txt, seperator: "," }'), [
      '"seperator" is not known here. Did you mean "separator"?',
    ]);
    assert.match(messagesFor('{ kind: journal }').join(), /"?file"?/);
    const [called] = validateDataSources({ text: sourcesText('{ kind: logbook, file: a.txt }') });
    assert.deepEqual(called?.suggestions, ['journal']);
  });

  it('is recognised by its settings in a quick fix', () => {
    const text = sourcesText('\n    separator: ","\n    file: a.txt');
    const [problem] = validateDataSources({ text });
    assert.ok(problem);
    const [fix] = fixesOfSources(problem, parseDataSources(text));
    assert.ok(fix);
    assert.match(applyEdits(text, fix.edits), /kind: journal/);
  });

  it('completion offers its name, settings, values and snippet', () => {
    assert.ok(proposed(sourcesText('\n    kind: <|>')).includes('journal'));
    assert.deepEqual(proposed(sourcesText('\n    kind: journal\n    <|>')).toSorted(), ['file', 'separator']);
    assert.deepEqual(proposed(sourcesText('\n    kind: journal\n    separator: <|>')), [';', ',']);
    assert.ok(proposed('version: 1\ndataSources:\n  <|>').includes('New journal'));
  });

  it('completion in custom SQL offers the words and functions of its dialect', async () => {
    const [text = '', rest = ''] = project['graph.entity.yaml'].split("what = 'opened'");
    const source = { dataSource: 'shop', kind: 'journal', dialect: 'journal sql' };
    const catalog = { ...source, readAt: '', complete: true, objects: [], warnings: [] };
    const parsed = parseEntityGraph(`${text}${rest}`);
    const labels = completeEntityGraph({ parsed, catalog }, text.length).map(({ label }) => label);
    for (const label of ['strftime', 'SIMILAR TO', 'lower']) assert.ok(labels.includes(label), label);
    assert.ok(!labels.includes('GLOB'), 'a word of another dialect');
  });

  it('Add Data Source asks for its settings', () => {
    const view = JSON.parse(JSON.stringify(sourceKinds().map(sourceKindView).at(-1))) as SourceKindView;
    assert.deepEqual([view.name, view.label, view.icon, view.abilities], ['journal', 'Journal', 'notebook', []]);
    const asked = view.questions.filter((question) => isAsked(question, {}));
    assert.deepEqual(
      asked.map(({ setting }) => setting),
      ['file', 'separator'],
    );
    const settings = settingsOf(view, { file: 'notes.txt', separator: '' }, view.proposedName);
    const outcome = addDataSource('', view.proposedName, settings as { readonly kind: string });
    assert.ok('edits' in outcome);
    const text = applyEdits('', outcome.edits);
    assert.equal(text, 'version: 1\ndataSources:\n  diary:\n    kind: journal\n    file: notes.txt\n');
    assert.deepEqual(validateDataSources({ text }), []);
  });

  it('Show Query, Test Query and name validation work', () =>
    withGraph(project, async ({ folder, write }) => {
      const path = join(folder, 'graph.entity.yaml');
      const file = await readGraphFile(path, projectContext);
      const { steps } = await showQuery(file, target, projectContext);
      assert.ok(steps.some(({ text }) => text === `-- reads ${join(folder, 'journal.txt')}`));
      assert.ok(steps.some(({ role, text }) => role === 'core' && text.includes("what = 'opened'")));
      const related = await showQuery(file, { kind: 'relationship', name: 'closed after' }, projectContext);
      assert.match(related.steps.find(({ role }) => role === 'core')?.text ?? '', / != .* \/\* journal \*\//);
      const tested = await testQuery(file, target, projectContext);
      const what = tested.columns.findIndex(({ name }) => name === 'what');
      assert.deepEqual(
        tested.rows.map((row) => row[what]),
        ['opened', 'opened'],
      );
      await write({
        'graph.entity.yaml': project['graph.entity.yaml'].replace('startTimestamp: at', 'startTimestamp: ta'),
      });
      const { problems } = await validateFile(path, projectContext, { online: false });
      assert.match(problems.map(({ message }) => message).join('\n'), /"ta"/);
    }));

  it('import works', () =>
    withGraph(project, async ({ import: run, rows }) => {
      const { status, totals, error } = await run();
      assert.equal(status, 'imported', JSON.stringify(error));
      assert.deepEqual([totals.events, totals.relations], [3, 2]);
      const events = await rows('SELECT CAST(time AS VARCHAR) FROM event ORDER BY 1');
      assert.deepEqual(events, [['2024-05-01 08:00:00'], ['2024-05-01 09:30:00'], ['2024-05-02 10:00:00']]);
    }));

  it('its file is watched', () =>
    withGraph(project, async ({ folder }) => {
      const sources = join(folder, 'entity-sources.yaml');
      const [source] = parseDataSources(await readFile(sources, 'utf8')).sources.sources;
      assert.ok(source);
      const { named } = await sourceFiles(source, sources, {});
      assert.deepEqual(named, [join(folder, 'journal.txt')]);
    }));
});
