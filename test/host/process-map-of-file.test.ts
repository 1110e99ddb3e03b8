import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TabInputWebview, Uri, commands, window, workspace } from 'vscode';
import { type Answer, answering, pick, press, type } from './person.ts';
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

  it('takes two clicks from a file with German dates to a map, and tells what was decided', async () => {
    const told = await mapOf('own/Loan Cases.csv');
    await showsMap('Event Graph of Loan Cases');
    assert.deepEqual(told, ['The case is in Vorgang. The activity is in Schritt. The time is in Zeitpunkt.']);
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

  it('offers to change a decision, and the map follows', async () => {
    await writeFile(join(lab.folder, 'own/changed.csv'), loans);
    const question = /^Process Map from This File \| /;
    const told = await mapOf('own/changed.csv', [
      press(/^The case is in Vorgang\./, 'Change…'),
      pick(/^Process Map from This File \| What to change$/, 'The activity is in Schritt.'),
      pick(question, 'Team'),
    ]);
    assert.match(told.join('\n'), /The activity is in Team/);
    assert.match(await lab.text('own/changed.entity.yaml'), /activityColumn: Team/);
    const state = JSON.parse(await lab.text('own/.entity-graph/state/changed.json')) as Record<string, unknown>;
    assert.match(JSON.stringify(state), /activityColumn: Team/, 'the imported graph');
  });

  it('New Entity offers the files first, and their names', async () => {
    await writeFile(join(lab.folder, 'own/fresh.csv'), loans);
    await answering(
      [
        pick(/^New Entity \| Data file or data source$/, '$(file) fresh.csv'),
        type(/^New Entity \| Name of the entity graph/, 'fresh'),
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
