import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Range, TabInputWebview, Uri, WorkspaceEdit, commands, env, window, workspace } from 'vscode';
import type { Outcome } from '../../protocol/query-results.ts';
import { ownFile, takeDropped } from '../../client/src/dropped-on-table.ts';
import { type Answer, answering, pick, type } from './person.ts';
import { waitFor } from './wait-for.ts';

/** 60 steps of 20 cases, as a spreadsheet with German settings writes them. */
const loans = [
  'Vorgang;Schritt;Zeitpunkt;Betrag;Team',
  ...Array.from({ length: 60 }, (_, row) => {
    const day = String((row % 27) + 1).padStart(2, '0');
    const hour = String(8 + (row % 3)).padStart(2, '0');
    return `L${100 + Math.floor(row / 3)};${['Antrag', 'Pruefung', 'Zusage'][row % 3] ?? ''};${day}.03.2025 ${hour}:00;${row * 100},50;${['Nord', 'Sued'][row % 2] ?? ''}`;
  }),
].join('\n');

describe('Process Map from This File', () => {
  const folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'loans');
  const lab = {
    folder,
    uri: (name: string) => Uri.file(join(folder, name)),
    text: (name: string) => readFile(join(folder, name), 'utf8'),
  };
  before(async () => {
    await mkdir(join(folder, 'own'), { recursive: true });
    await writeFile(join(folder, 'own/Loan Cases.csv'), loans);
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  /** A click in the menu of the Explorer, which passes the file. */
  const mapOf = (file: string, answers: readonly Answer[] = []): Promise<readonly string[]> =>
    answering(answers, () => commands.executeCommand('entityGraph.processMapOfFile', lab.uri(file)));
  const showsMap = (title: string): Promise<void> =>
    waitFor(`the map ${title} is open`, () => maps().join() === title, maps);
  const maps = (): readonly string[] =>
    window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith('entityGraph.eventGraph'))
      .map(({ label }) => label);
  const read = async (uri: Uri): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(uri));

  it('takes two clicks from a file with German dates to a map', async () => {
    const told = await mapOf('own/Loan Cases.csv');
    await showsMap('Event Graph of Loan Cases');
    // What was decided stands beside the map.
    assert.deepEqual(told, []);
    const sources = 'version: 1\ndataSources:\n  Loan-Cases:\n    kind: csv\n    path: Loan Cases.csv\n';
    assert.equal(await lab.text('own/entity-sources.yaml'), sources);
    assert.match(await lab.text('own/Loan Cases.entity.yaml'), /^name: Loan Cases$/m);
  });

  it('opens the graph that the file has, in place of a second one', async () => {
    const sources = await lab.text('own/entity-sources.yaml');
    await mapOf('own/Loan Cases.csv');
    await showsMap('Event Graph of Loan Cases');
    assert.equal(await lab.text('own/entity-sources.yaml'), sources);
    assert.ok(!existsSync(join(lab.folder, 'own/Loan Cases-2.entity.yaml')));
  });

  it('changes a choice of the draft and takes it back, and the map follows, also after other edits of the text', async () => {
    await writeFile(join(lab.folder, 'own/changed.csv'), loans);
    await mapOf('own/changed.csv');
    const graph = lab.uri('own/changed.entity.yaml');
    const drafted = await lab.text('own/changed.entity.yaml');
    const change = (columns: readonly string[] | 'before'): Thenable<Outcome<null>> =>
      commands.executeCommand(
        'entityGraph.showDraftChoices',
        graph,
        columns === 'before' ? columns : { dataObject: 'changed', role: 'activity', columns },
      );
    const imported = async (): Promise<string> =>
      JSON.stringify(JSON.parse(await lab.text('own/.entity-graph/state/changed.json')));
    assert.deepEqual(await change(['Team']), { ok: true, value: null });
    assert.match(await lab.text('own/changed.entity.yaml'), /activityColumn: Team/);
    assert.match(await imported(), /activityColumn: Team/, 'the imported graph');
    assert.deepEqual(await change('before'), { ok: true, value: null });
    assert.equal(await lab.text('own/changed.entity.yaml'), drafted);
    assert.match(await imported(), /activityColumn: Schritt/, 'the imported graph');
    const refused = await change(['nothing']);
    assert.match(refused.ok ? '' : refused.error.message, /nothing of changed cannot be the activity/);
    const write = async (text: string): Promise<void> => {
      const edit = new WorkspaceEdit();
      edit.replace(graph, new Range(0, 0, 1_000, 0), text);
      await workspace.applyEdit(edit);
      await workspace.saveAll();
    };
    await write(`# mine\n${drafted}`);
    assert.deepEqual(await change(['Team']), { ok: true, value: null });
    const changed = await lab.text('own/changed.entity.yaml');
    assert.match(changed, /^# mine\n[^]*activityColumn: Team/);
    await write(changed.replace('activityColumn: Team', 'activityColumn: Betrag'));
    const late = await change(['Schritt']);
    assert.match(
      late.ok ? '' : late.error.message,
      /^The lines of .*changed\.entity\.yaml that this changes were edited/,
    );
    await write('version: 1\nname: Other\ndataSource: changed\nelements: []\n');
    const told = await answering([], () => commands.executeCommand('entityGraph.showDraftChoices', graph));
    assert.match(told.join(), /is no longer as it was drafted from a data file/);
  });

  /** As a page gets it from the Explorer, also in the remote window in which these tests run. */
  const uriInPage = (uri: Uri): string =>
    (env.remoteName === undefined ? uri : uri.with({ scheme: 'vscode-remote', authority: env.remoteName })).toString();

  it('a data file dropped on the table gets its map, a configuration is imported', async () => {
    await writeFile(join(lab.folder, 'own/dropped.csv'), loans);
    const configuration = 'name: Given\ndataSource: Loan-Cases\nelements: []\n';
    const dropped = {
      type: 'dropFiles' as const,
      uris: [uriInPage(lab.uri('own/dropped.csv'))],
      texts: [{ name: 'given.yaml', text: configuration }],
      others: ['elsewhere.csv'],
    };
    const told = await answering([pick(/^Import Entity Graph \|/, 'loans/own')], () => takeDropped(dropped));
    await showsMap('Event Graph of dropped');
    assert.match(told.join('\n'), /The path of elsewhere\.csv is unknown here\./);
    assert.ok(existsSync(join(lab.folder, 'own/given.entity.yaml')), told.join('\n'));
  });

  it('files dropped in a remote window are those of the remote, and what cannot be read is named', async () => {
    const path = (uri: string, remoteName?: string): string | undefined =>
      ownFile(Uri.parse(uri), remoteName)?.toString();
    assert.equal(path('file:///a/b.csv'), 'file:///a/b.csv');
    assert.equal(path('vscode-remote://ssh-remote%2Bhost/a/b.csv', 'ssh-remote'), 'file:///a/b.csv');
    assert.equal(path('vscode-remote://wsl%2Bdebian/a/b.csv', 'ssh-remote'), undefined);
    assert.equal(path('file:///a/b.csv', 'wsl'), undefined);
    const told = (uris: readonly string[]): Promise<readonly string[]> =>
      answering([], () => takeDropped({ type: 'dropFiles', uris: [...uris], texts: [], others: [] }));
    assert.match((await told(['vscode-vfs://github/a/far.csv'])).join(), /The path of far\.csv is unknown here\./);
    assert.match((await told([])).join(), /Nothing was dropped that can be read\./);
  });

  it('New Entity Graph offers the files first, and their names', async () => {
    await writeFile(join(lab.folder, 'own/fresh.csv'), loans);
    await answering(
      [
        pick(/^New Entity Graph \| Data file or data source$/, '$(file) fresh.csv'),
        type(/^New Entity Graph \| Name of the entity graph/, 'fresh'),
      ],
      () => commands.executeCommand('entityGraph.newEntity'),
    );
    assert.match(await read(lab.uri('own/fresh.entity.yaml')), /^name: fresh$/m);
  });

  it('removes what it wrote when the import is cancelled', async () => {
    const [head = '', ...rows] = loans.split('\n');
    await writeFile(join(lab.folder, 'own/unwanted.csv'), [head, ...Array(20_000).fill(rows.join('\n'))].join('\n'));
    const sources = await lab.text('own/entity-sources.yaml');
    const graph = lab.uri('own/unwanted.entity.yaml');
    let isRunning = true;
    const running = mapOf('own/unwanted.csv').finally(() => (isRunning = false));
    await waitFor('the graph is written', () => existsSync(graph.fsPath));
    await waitFor('the command has ended', async () => {
      await commands.executeCommand('entityGraph.cancelImport', graph);
      return !isRunning;
    });
    await running;
    assert.equal(await lab.text('own/entity-sources.yaml'), sources);
    assert.ok(!existsSync(graph.fsPath));
    assert.deepEqual(maps(), []);
  });
});
