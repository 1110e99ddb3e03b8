import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  type CodeLens,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  Range,
  Selection,
  TabInputCustom,
  TabInputWebview,
  type Uri,
  WorkspaceEdit,
  commands,
  env,
  window,
  workspace,
} from 'vscode';
import { type Lab, openLab, shopGraph } from './lab.ts';
import { logLines } from './log-lines.ts';
import { type Answer, answering, dismiss, file, pick, press, type } from './person.ts';
import { waitFor } from './wait-for.ts';

describe('commands in VS Code', () => {
  let lab: Lab;

  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  const run = (name: string, ...args: readonly unknown[]): Thenable<unknown> =>
    commands.executeCommand(`entityGraph.${name}`, ...args);
  /** Runs a command as from the palette; an entity graph is active if named. */
  const runOn = async (graph: string | undefined, name: string, answers: readonly Answer[] = []) => {
    if (graph !== undefined) await window.showTextDocument(lab.uri(graph));
    return answering(answers, () => run(name));
  };
  const state = async (graph: string): Promise<Record<string, unknown>> =>
    JSON.parse(await lab.text(`.entity-graph/state/${graph}.json`)) as Record<string, unknown>;
  const shownCanvas = (): string | undefined => {
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof TabInputCustom ? workspace.asRelativePath(input.uri) : undefined;
  };
  /** Waits until the results belong to a name. */
  const showsPage = (viewType: string, title: string): Promise<void> => {
    const titles = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(viewType))
        .map(({ label }) => label);
    return waitFor(`${viewType} shows ${title}`, () => titles().includes(title), titles);
  };
  const showsResults = (title: string): Promise<void> => showsPage('entityGraph.results', title);

  describe('entity graph files', () => {
    /** The samples beside have data sources files too. */
    const intoLab = pick(/^Import Entity Graph \| Folder to import into/, 'lab');

    it('Export Entity Graph writes YAML with its comments, and equivalent JSON', async () => {
      const [yaml, json] = [lab.uri('out/shop.yaml'), lab.uri('out/shop.json')];
      await mkdir(join(lab.folder, 'out'));
      const format = (name: string): Answer => pick(/^Export Entity Graph \| Format$/, name);
      const place = (uri: Uri): Answer => file(/^Export Entity Graph$/, uri);
      const told = await runOn('shop.entity.yaml', 'exportConfiguration', [format('YAML'), place(yaml)]);
      assert.match(told.join(), /^The entity graph is in .*shop\.yaml\.$/);
      assert.equal(await lab.text('out/shop.yaml'), shopGraph);
      await runOn('shop.entity.yaml', 'exportConfiguration', [format('JSON'), place(json)]);
      const { name, elements } = JSON.parse(await lab.text('out/shop.json')) as Record<string, unknown>;
      assert.deepEqual(
        [name, elements],
        [
          'Shop',
          [
            {
              activityName: 'Place Order',
              dataObject: 'orders',
              key: 'order_id',
              startTimestamp: 'placed_at',
              properties: ['amount'],
            },
          ],
        ],
      );
    });

    it('Export Entity Graph creates a second entity graph only after confirmation', async () => {
      const second = lab.uri('second.entity.yaml');
      const told = await runOn('shop.entity.yaml', 'exportConfiguration', [
        pick(/^Export Entity Graph \| Format$/, 'YAML'),
        file(/^Export Entity Graph$/, second),
        press(/^second\.entity\.yaml would be another entity graph of this workspace\./, 'Choose Another Name'),
        file(/^Export Entity Graph$/, lab.uri('out/second.yaml')),
      ]);
      assert.match(told.at(-1) ?? '', /out\/second\.yaml\.$/);
      assert.equal(existsSync(second.fsPath), false);
      await rm(lab.uri('out/second.yaml').fsPath);
    });

    it('Copy Entity Graph creates a file that differs in name only', async () => {
      await runOn('shop.entity.yaml', 'copyConfiguration', [
        type(/^Copy Entity Graph \| Name of the new file$/, 'shop-copy.entity.yaml'),
      ]);
      assert.equal(window.activeTextEditor?.document.uri.fsPath, lab.uri('shop-copy.entity.yaml').fsPath);
      const [copy, original] = [await lab.text('shop-copy.entity.yaml'), shopGraph].map((text) => text.split('\n'));
      const differing = copy?.filter((line, index) => line !== original?.[index]);
      assert.equal(copy?.length, original?.length);
      assert.equal(differing?.length, 1);
      assert.match(differing[0] ?? '', /^name: /);
    });

    it('Import Entity Graph asks once for files, reports on each, and never overwrites without consent', async () => {
      await writeFile(join(lab.folder, 'out/returns.yaml'), shopGraph.replace('Shop', 'Returns'));
      await writeFile(join(lab.folder, 'out/note.yaml'), 'a note, and no entity graph\n');
      const take = (...answers: Answer[]) =>
        answering(
          [
            file(
              /^Import Entity Graph: a file, or a folder/,
              ...['returns', 'note'].map((name) => lab.uri(`out/${name}.yaml`)),
            ),
            intoLab,
            ...answers,
          ],
          () => run('importConfiguration'),
        );
      assert.deepEqual(await take(), ['1 of 2 entity graphs added.']);
      assert.match(logLines.at(-2) ?? '', /^info: Import Entity Graph: imported .*returns\.entity\.yaml$/);
      assert.match(logLines.at(-1) ?? '', /^warn: Import Entity Graph: refused .*note\.yaml: .+/);
      assert.equal(await lab.text('returns.entity.yaml'), shopGraph.replace('Shop', 'Returns'));

      await writeFile(join(lab.folder, 'returns.entity.yaml'), '# mine\n');
      const told = await take(press(/An entity graph is there already\. \| .*returns\.entity\.yaml$/, 'Keep Both'));
      assert.deepEqual(told.slice(1), ['1 of 2 entity graphs added.']);
      assert.equal(await lab.text('returns.entity.yaml'), '# mine\n');
      const both = await workspace.findFiles('lab/returns*.entity.yaml');
      assert.equal(both.length, 2, both.join());
      await take(press(/An entity graph is there already/, 'Replace'), press(/1 of 2/, 'Show Report'));
      assert.equal(await lab.text('returns.entity.yaml'), shopGraph.replace('Shop', 'Returns'));
      await showsResults('Import Entity Graph');
      for (const uri of both) await rm(uri.fsPath);
    });

    it('Import Entity Graph takes a folder, the selection of the Explorer, and dropped texts', async () => {
      await mkdir(join(lab.folder, 'more'));
      for (const name of ['one', 'two']) await writeFile(join(lab.folder, `more/${name}.yaml`), shopGraph);
      await writeFile(join(lab.folder, 'more/settings.json'), '{}');
      const [folder, one, two] = ['more', 'more/one.yaml', 'more/two.yaml'].map((path) => lab.uri(path));
      const texts = [{ name: 'three.yaml', text: shopGraph }];
      for (const [args, expected, names] of [
        [[folder, [folder]], '2 entity graphs added.', ['one', 'two']],
        [[one, [one, two]], '2 entity graphs added.', ['one', 'two']],
        [[one], '1 entity graph added.', ['one']],
        [[undefined, [], texts], '1 entity graph added.', ['three']],
      ] as const) {
        assert.deepEqual(await answering([intoLab], () => run('importConfiguration', ...args)), [expected]);
        for (const name of names) {
          assert.equal(await lab.text(`${name}.entity.yaml`), shopGraph);
          await rm(lab.uri(`${name}.entity.yaml`).fsPath);
        }
      }
    });
  });

  describe('entity graphs', () => {
    it('New Entity Graph writes an empty graph beside the sources file, and opens its canvas', async () => {
      await answering(
        [
          pick(/^New Entity Graph \| Data file or data source$/, 'shop'),
          pick(/^New Entity Graph \| Start with$/, 'Empty'),
          type(/^New Entity Graph \| Name of the entity graph/, 'Walk In'),
        ],
        () => run('newEntity'),
      );
      assert.equal(await lab.text('walk-in.entity.yaml'), 'version: 1\nname: "Walk In"\ndataSource: "shop"\n');
      assert.equal(shownCanvas(), 'lab/walk-in.entity.yaml');
    });

    it('New Entity Graph generates a graph from chosen data objects', async () => {
      await answering(
        [
          pick(/^New Entity Graph \| Data file or data source$/, 'shop'),
          pick(/^New Entity Graph \| Start with$/, 'Draft from the Data'),
          pick(/^New Entity Graph \| Data objects to draft the graph of/, 'orders', 'customers'),
          type(/^New Entity Graph \| Name of the entity graph/, 'Sales of All'),
        ],
        () => run('newEntity'),
      );
      const text = await lab.text('sales-of-all.entity.yaml');
      assert.match(text, /^name: Sales of All$/m);
      assert.deepEqual(
        [...text.matchAll(/dataObject: (\w+)/g)].map(([, name]) => name),
        ['orders', 'customers'],
      );
      assert.match(
        text,
        /# Chosen as startTimestamp because .*\n {4}startTimestamp: placed_at\n[^]*startTimestamp: since\n/,
      );
    });

    it('New Entity Graph drafts one graph of data objects of several data sources', async () => {
      const sources = await lab.text('entity-sources.yaml');
      await writeFile(
        join(lab.folder, 'entity-sources.yaml'),
        `${sources}  tickets: { kind: csv, path: tickets/*.csv }\n`,
      );
      await mkdir(join(lab.folder, 'tickets'), { recursive: true });
      await writeFile(
        join(lab.folder, 'tickets/tickets.csv'),
        'ticket_id,order_id,opened_at\nT1,1,2024-05-03 09:00:00\nT2,3,2024-05-04 09:00:00\n',
      );
      await writeFile(join(lab.folder, 'tickets/customers.csv'), 'customer_id,since\n7,2020-01-01 00:00:00\n');
      const several = /^New Entity Graph \| Data sources to draft one graph of$/;
      const told = await answering(
        [
          pick(/^New Entity Graph \| Data file or data source$/, '$(checklist) Several Data Sources…'),
          // That of the samples, which is of another file.
          pick(several, 'shop', 'desk'),
          pick(several, 'shop', 'tickets'),
          pick(/^New Entity Graph \| Data objects to draft the graph of/, 'orders', 'tickets'),
          type(/^New Entity Graph \| Name of the entity graph/, 'Shop and Desk'),
        ],
        () => run('newEntity'),
      );
      assert.deepEqual(told, ['Choose data sources of one data sources file: a graph uses one file.']);
      const text = await lab.text('shop-and-desk.entity.yaml');
      assert.deepEqual(
        [...text.matchAll(/dataSource: (\w+)/g)].map(([, name]) => name),
        ['shop', 'tickets'],
      );
      assert.deepEqual(
        [...text.matchAll(/dataObject: (\w+)/g)].map(([, name]) => name),
        ['orders', 'tickets'],
      );
      assert.equal(shownCanvas(), 'lab/shop-and-desk.entity.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), sources);
    });

    it('New Entity Graph drafts into the empty file from whose completion it was chosen', async () => {
      await writeFile(join(lab.folder, 'blank.entity.yaml'), '\n');
      await answering(
        [
          pick(/^New Entity Graph \| Data source$/, 'shop'),
          pick(/^New Entity Graph \| Data objects to draft the graph of/, 'orders', 'customers'),
        ],
        () => run('newEntity', lab.uri('blank.entity.yaml').toString()),
      );
      assert.match(await lab.text('blank.entity.yaml'), /^version: 1\nname: blank\n[^]*startTimestamp: placed_at\n/);
      assert.equal(shownCanvas(), 'lab/blank.entity.yaml');
    });

    it('New Entity Graph asks where two columns are equally good, and writes nothing when that is dismissed', async () => {
      const sources = await lab.text('entity-sources.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), `${sources}  twins: { kind: csv, path: twins/*.csv }\n`);
      const steps = Array.from({ length: 60 }, (_, row) => {
        const at = new Date(Date.UTC(2024, 0, 1) + row * 3_600_000).toISOString();
        return `T${Math.floor(row / 3)},${['open', 'work', 'close'][row % 3] ?? ''},${at},${at}\n`;
      });
      await mkdir(join(lab.folder, 'twins'), { recursive: true });
      await writeFile(join(lab.folder, 'twins/log.csv'), `ticket,step,begun_a,begun_b\n${steps.join('')}`);
      const question = /^New Entity Graph \| Several columns of log could say when it happened$/;
      const draft = (...chosen: string[]): Promise<unknown> =>
        answering(
          [
            pick(/^New Entity Graph \| Data file or data source$/, 'twins'),
            pick(/^New Entity Graph \| Start with$/, 'Draft from the Data'),
            type(/^New Entity Graph \| Name of the entity graph/, 'Twins'),
            pick(question, ...chosen),
          ],
          () => run('newEntity'),
        );
      await draft();
      await assert.rejects(lab.text('twins.entity.yaml'), { code: 'ENOENT' });
      await draft('begun_b');
      assert.match(await lab.text('twins.entity.yaml'), /startTimestamp: begun_b/);
      assert.equal(shownCanvas(), 'lab/twins.entity.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), sources);
    });

    it('New Entity Graph offers an empty graph or a retry when the source cannot be read', async () => {
      const sources = await lab.text('entity-sources.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), `${sources}  gone: { kind: csv, path: gone/*.csv }\n`);
      const failed = /^Data source gone: no file in .* matches gone\/\*\.csv\. Correct path in the data sources file/;
      await answering(
        [
          pick(/^New Entity Graph \| Data file or data source$/, 'gone'),
          pick(/^New Entity Graph \| Start with$/, 'Draft from the Data'),
          press(failed, 'Try Again'),
          press(failed, 'Start Empty'),
          type(/^New Entity Graph \| Name of the entity graph/, 'Kept Name'),
        ],
        () => run('newEntity'),
      );
      assert.equal(await lab.text('kept-name.entity.yaml'), 'version: 1\nname: "Kept Name"\ndataSource: "gone"\n');
      assert.equal(shownCanvas(), 'lab/kept-name.entity.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), sources);
    });

    it('New Entity Graph reports a source without data objects, and offers an empty graph or another source', async () => {
      const sources = await lab.text('entity-sources.yaml');
      const description = 'openapi: 3.0.0\ninfo: { title: None, version: "1" }\npaths: {}\n';
      await writeFile(join(lab.folder, 'none.yaml'), description);
      const none = '  none: { kind: rest, baseUrl: "http://127.0.0.1:9", openapi: none.yaml }\n';
      await writeFile(join(lab.folder, 'entity-sources.yaml'), `${sources}${none}`);
      const nothing = /^none has no data objects that can be read/;
      const fromDraft = pick(/^New Entity Graph \| Start with$/, 'Draft from the Data');
      await answering(
        [
          pick(/^New Entity Graph \| Data file or data source$/, 'none'),
          fromDraft,
          press(nothing, 'Read Again'),
          press(nothing, 'Other Data Source'),
          pick(/^New Entity Graph \| Data source$/, 'none'),
          fromDraft,
          press(nothing, 'Start Empty'),
          type(/^New Entity Graph \| Name of the entity graph/, 'From None'),
        ],
        () => run('newEntity'),
      );
      assert.equal(await lab.text('from-none.entity.yaml'), 'version: 1\nname: "From None"\ndataSource: "none"\n');
      assert.equal(shownCanvas(), 'lab/from-none.entity.yaml');
      await writeFile(join(lab.folder, 'entity-sources.yaml'), sources);
    });

    it('Find Data Object names sources that could not be searched, and opens them', async () => {
      const sources = await lab.text('entity-sources.yaml');
      const gone = '  gone: { kind: csv, path: gone/*.csv }\n';
      await writeFile(join(lab.folder, 'entity-sources.yaml'), `${sources}${gone}  late: [\n`);
      const { createQuickPick } = window;
      const opened: QuickPick<QuickPickItem>[] = [];
      const createAndKeep = (): QuickPick<QuickPickItem> => {
        const made = createQuickPick();
        opened.push(made);
        return made;
      };
      Object.assign(window, { createQuickPick: createAndKeep });
      try {
        await run('findDataObject');
      } finally {
        Object.assign(window, { createQuickPick });
      }
      const [question] = opened;
      assert.ok(question && !question.busy);
      const at = question.items.findIndex(({ kind }) => kind === QuickPickItemKind.Separator);
      assert.ok(question.items.slice(0, at).some(({ label }) => label === 'orders'));
      const missed = question.items.slice(at + 1);
      const said = missed.map(({ label, description, alwaysShow }) => [label, description, alwaysShow]);
      const goneSaid = said.find(([label]) => label === '$(warning) gone');
      assert.match(String(goneSaid?.[1]), /^No file in .* matches gone\/\*\.csv\. Correct path/);
      assert.ok(said.every(([, , isAlwaysShown]) => isAlwaysShown));
      const broken = missed.find(({ label }) => label === '$(warning) lab/entity-sources.yaml');
      assert.ok(broken && 'choose' in broken && typeof broken.choose === 'function', JSON.stringify(said));
      question.hide();
      await broken.choose();
      await waitFor(
        'the sources file is open at the mistake',
        () => window.activeTextEditor?.selection.active.line === `${sources}${gone}`.split('\n').length - 1,
        () => window.activeTextEditor?.selection,
      );
      assert.equal(window.activeTextEditor?.document.uri.fsPath, lab.uri('entity-sources.yaml').fsPath);
      await writeFile(join(lab.folder, 'entity-sources.yaml'), sources);
    });

    it('New Entity Graph from Data Object generates a graph beside its source', async () => {
      await runOn(undefined, 'newEntityFromObject', [
        pick(/^New Entity Graph from Data Object \| Data source$/, 'shop'),
        pick(/^New Entity Graph from Data Object \| Data object of shop$/, 'customers'),
        type(/^New Entity Graph from customers \| Name of the new file$/, 'customers.entity.yaml'),
      ]);
      const text = await lab.text('customers.entity.yaml');
      assert.match(text, /^dataSource: shop$/m);
      assert.match(text, /dataObject: customers\n[^]*startTimestamp: since/);
      assert.equal(shownCanvas(), 'lab/customers.entity.yaml');
    });

    it('Add to Entity Graph adds an element of a data object', async () => {
      await answering(
        [
          pick(/^Add to Entity Graph \| Data source$/, 'shop'),
          pick(/^Add to Entity Graph \| Data object of shop$/, 'orders'),
          pick(/^Add orders to Entity Graph \| Entity graph that gets an element for it$/, 'Shop'),
        ],
        () => run('addToGraph'),
      );
      const document = await workspace.openTextDocument(lab.uri('shop.entity.yaml'));
      assert.match(document.getText(), /\n {2}- dataObject: orders\n/);
      // Possibly saved already: reverting does not undo that. A file that is written meanwhile is not read while it is edited.
      const restored = new WorkspaceEdit();
      restored.replace(document.uri, new Range(0, 0, document.lineCount, 0), shopGraph);
      assert.ok(await workspace.applyEdit(restored));
      await document.save();
      await waitFor('the graph is as it was', () => !document.isDirty && document.getText() === shopGraph);
    });

    it('Reset restores the text of the last import, and undo reverts it', async () => {
      const graph = 'shop.entity.yaml';
      const told = await runOn(graph, 'import');
      assert.match(told.join(), /^Import Done: 3 events, 3 entities, 0 relations/);
      assert.deepEqual(
        [(await state('shop'))['status'], existsSync(join(lab.folder, '.entity-graph/graphs/shop'))],
        ['Imported', true],
      );
      assert.deepEqual(await runOn(graph, 'reset'), ['Nothing has changed since the last import.']);

      const changed = shopGraph.replace('properties: [amount]', 'properties: []');
      await writeFile(join(lab.folder, graph), changed);
      const document = await workspace.openTextDocument(lab.uri(graph));
      await waitFor('the editor has read the file', () => document.getText() === changed);
      const question =
        /^Reset shop\.entity\.yaml to its last import\? \| Lines that will be lost: 1\. Lines that come back: 1\.$/;
      // Dismissed, it changes nothing.
      await runOn(graph, 'reset');
      assert.equal(document.getText(), changed);
      const reset = await runOn(graph, 'reset', [press(question, 'Reset')]);
      assert.equal(reset.at(-1), 'shop.entity.yaml was reset to its last import.');
      assert.equal(await lab.text(graph), shopGraph);
      await runOn(graph, 'reset');
      assert.equal(document.getText(), shopGraph);
      await commands.executeCommand('undo');
      assert.equal(document.getText(), changed);
      await commands.executeCommand('workbench.action.files.revert');
    });

    it('Compare with… shows above an edited entry what its edit does, again when the file is saved, until it is stopped', async () => {
      await runOn('shop.entity.yaml', 'import');
      const uri = lab.uri('shop.entity.yaml');
      const editor = await window.showTextDocument(uri);
      const shownLenses = async (): Promise<readonly string[]> => {
        const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 50);
        return found.flatMap(({ command }) =>
          /^(Compared|Stop|where:|properties:)/.test(command?.title ?? '') ? [command?.title ?? ''] : [],
        );
      };
      const edit = async (from: string, to: string): Promise<void> => {
        const text = editor.document.getText();
        const start = editor.document.positionAt(text.indexOf(from));
        await editor.edit((change) => change.replace(new Range(start, start.translate(0, from.length)), to));
      };
      await edit('properties: [amount]', 'where: amount > 5');
      const told = await runOn('shop.entity.yaml', 'compareWith', [
        pick(/^Compare with… \|/, 'Last Import'),
        press(/^The graph differs from that of the last import\./, 'Show Details'),
      ]);
      assert.equal(told.length, 1);
      await showsResults('Effect of shop.entity.yaml');
      assert.deepEqual((await shownLenses()).toSorted(), [
        'Compared with the last import',
        'Stop Comparing',
        'properties: 1 property',
        'where: −1 event, −1 entity, −1 correlation',
      ]);
      await window.showTextDocument(uri);
      await edit('where: amount > 5', 'properties: [amount]');
      await editor.document.save();
      await waitFor(
        'saving compares again',
        async () => (await shownLenses()).some((title) => title.includes('the same text')),
        shownLenses,
      );
      await run('stopComparing', uri);
      await waitFor('the lenses are gone', async () => (await shownLenses()).length === 0, shownLenses);
    });

    it('Export Event Graph writes a file or a folder, and names it', async () => {
      const graph = 'exported.entity.yaml';
      await writeFile(join(lab.folder, graph), shopGraph);
      const asked = /^Export Event Graph of exported\.entity\.yaml \| Form$/;
      const [early = ''] = await answering(
        [pick(asked, 'OCEL 2.0 JSON'), file(/^Export as OCEL 2\.0 JSON$/, lab.uri('log.json'))],
        () => run('exportGraph', lab.uri(graph)),
      );
      assert.match(early, /has not been imported yet.*Import it first/);
      await runOn(graph, 'import');
      const told = await answering(
        [
          pick(asked, 'OCEL 2.0 JSON'),
          file(/^Export as OCEL 2\.0 JSON$/, lab.uri('log.json')),
          press(/^The graph is in .*log\.json\.$/, 'Copy Path'),
        ],
        () => run('exportGraph', lab.uri(graph)),
      );
      assert.equal(told.length, 1);
      assert.equal(await env.clipboard.readText(), lab.uri('log.json').fsPath);
      const log = JSON.parse(await readFile(join(lab.folder, 'log.json'), 'utf8')) as { events: unknown[] };
      assert.equal(log.events.length, 3);
      await answering([pick(asked, 'CSV'), file(/^Export as CSV into a folder of its own$/, lab.uri('.'))], () =>
        run('exportGraph', lab.uri(graph)),
      );
      assert.match(await readFile(join(lab.folder, 'exported-csv/event.csv'), 'utf8'), /^id,element,activity/);
      const forSpreadsheets = 'CSV for Spreadsheets';
      await answering(
        [pick(asked, forSpreadsheets), file(/^Export as CSV for Spreadsheets into a folder of its own$/, lab.uri('.'))],
        () => run('exportGraph', lab.uri(graph)),
      );
      assert.match(await readFile(join(lab.folder, 'exported-spreadsheets/event.csv'), 'utf8'), /^id,element,activity/);
    });

    it('Export Event Graph asks whose events an event log has, where there are entities of several types', async () => {
      const log = (name: string): Promise<string> => readFile(join(lab.folder, name), 'utf8');
      const asked = (graph: string, what: string): RegExp =>
        new RegExp(`^Export Event Graph of ${graph}\\.entity\\.yaml \\| ${what}$`);
      await writeFile(join(lab.folder, 'case-log.entity.yaml'), shopGraph);
      await runOn('case-log.entity.yaml', 'import');
      await answering([pick(asked('case-log', 'Form'), 'XES'), file(/^Export as XES$/, lab.uri('one.xes'))], () =>
        run('exportGraph', lab.uri('case-log.entity.yaml')),
      );
      assert.equal((await log('one.xes')).split('<trace>').length, 4);
      const second = shopGraph.slice(shopGraph.indexOf('  - activityName')).replace('Place Order', 'Ship');
      await writeFile(join(lab.folder, 'case-logs.entity.yaml'), `${shopGraph}${second}    entityType: parcel\n`);
      await runOn('case-logs.entity.yaml', 'import');
      const type = asked('case-logs', 'Entity type whose entities are the cases of the log');
      for (const form of ['CSV Event Log', 'CSV Event Log for Spreadsheets']) {
        const output = file(new RegExp(`^Export as ${form}$`), lab.uri('parcels.csv'));
        await answering([pick(asked('case-logs', 'Form'), form), pick(type, 'parcel'), output], () =>
          run('exportGraph', lab.uri('case-logs.entity.yaml')),
        );
        const [head, first] = (await log('parcels.csv')).split('\n');
        assert.equal(head, 'case_id,activity,timestamp,lifecycle,event_id,element,amount');
        assert.match(first ?? '', /,Ship,/);
      }
    });

    it('Delete removes file, state and graphs after a confirmation that names them', async () => {
      const paths = ['copied.entity.yaml', '.entity-graph/state/copied.json', '.entity-graph/graphs/copied'];
      await writeFile(join(lab.folder, 'copied.entity.yaml'), shopGraph);
      await runOn('copied.entity.yaml', 'import');
      const present = () => paths.map((path) => existsSync(join(lab.folder, path)));
      assert.deepEqual(present(), [true, true, true]);

      const [asked = ''] = await runOn('copied.entity.yaml', 'delete');
      assert.match(asked, /^Delete copied\.entity\.yaml\? \| This removes for good:/);
      for (const path of paths) assert.ok(asked.includes(`lab/${path}`), `${path} in ${asked}`);
      assert.deepEqual(present(), [true, true, true], 'nobody confirmed');
      await runOn('copied.entity.yaml', 'delete', [press(/^Delete copied/, 'Delete')]);
      assert.deepEqual(present(), [false, false, false]);
    });
  });

  describe('data sources', () => {
    it('Test Connection reports a usable source', async () => {
      const told = await runOn(undefined, 'testConnection', [
        pick(/^Data source$/, 'shop'),
        press(/^shop can be used: 2 data objects, \d+ ms\.$/, 'Show Details'),
      ]);
      assert.equal(told.length, 1);
      await showsPage('entityGraph.diagnosis', 'Diagnosis of shop');
    });

    it('Set Secret stores the credentials of a source, Forget Secret deletes them', async () => {
      const test = (...answers: Answer[]) =>
        runOn(undefined, 'testConnection', [pick(/^Data source$/, 'api'), ...answers]);
      const asksForIt = type(/^Secret "lab" \| Value of \$\{secret:lab\}/, 'first key');
      assert.match((await test(asksForIt)).join(), /^api can be used: 1 data objects/);
      assert.equal(lab.keysSeen.at(-1), 'first key');

      const set = await answering([pick(/^Set Secret/, 'lab'), type(/^Secret "lab"/, 'other key')], () =>
        run('setSecret'),
      );
      assert.deepEqual(set, ['Secret "lab" is set.']);
      assert.match((await test()).join(), /^api can be used/);
      assert.equal(lab.keysSeen.at(-1), 'other key');

      const forgotten = await answering([pick(/^Forget Secret/, 'lab')], () => run('forgetSecret'));
      assert.deepEqual(forgotten, ['Secret "lab" is forgotten.']);
      await test(asksForIt);
      assert.equal(lab.keysSeen.at(-1), 'first key');
    });

    it('a query that failed without a secret runs again once the secret is set', async () => {
      const mend = [
        dismiss(/^Secret "lab"/),
        press(/lab/, 'Set Secret…'),
        pick(/^Set Secret/, 'lab'),
        type(/^Secret "lab"/, 'late key'),
      ];
      const forget = () => answering([pick(/^Forget Secret/, 'lab')], () => run('forgetSecret'));
      await forget();
      const before = lab.keysSeen.length;
      await answering(mend, () => run('testQuery', lab.uri('api.entity.yaml')));
      assert.deepEqual([...new Set(lab.keysSeen.slice(before))], ['late key']);
      await forget();
      const seen = lab.keysSeen.length;
      await answering(mend, () => run('refreshCatalog', lab.uri('api.entity.yaml')));
      assert.ok(lab.keysSeen.length > seen);
    });

    it('Test Connection shows its step while the source is slow, and can be cancelled', async () => {
      const real = window.withProgress;
      const told: string[] = [];
      /** A person who presses Cancel once they have seen a step. */
      const impatient: typeof window.withProgress = async (options, task) => {
        assert.deepEqual([options.title, options.cancellable], ['Testing api', true]);
        const source = new CancellationTokenSource();
        return task(
          {
            report(value) {
              told.push((value as { readonly message: string }).message);
              source.cancel();
            },
          },
          source.token,
        );
      };
      lab.hold(true);
      Object.assign(window, { withProgress: impatient });
      try {
        const messages = await runOn(undefined, 'testConnection', [pick(/^Data source$/, 'api')]);
        assert.deepEqual(messages, []);
        assert.match(told[0] ?? '', /^(?:Checking|Reading|deliveries)/);
      } finally {
        Object.assign(window, { withProgress: real });
        lab.hold(false);
      }
    });

    it('Refresh Data Source reads it again, and reveals it', async () => {
      const before = lab.keysSeen.length;
      await runOn(undefined, 'refreshSource', [pick(/^Refresh Data Source \| Data source$/, 'api')]);
      await waitFor('the service is asked', () => lab.keysSeen.length > before);
    });

    it('Refresh Data Source of a collapsed row reads it at once', async () => {
      await commands.executeCommand('workbench.actions.treeView.entityGraph.dataSources.collapseAll');
      const before = lab.keysSeen.length;
      const source = {
        ...{ uri: lab.uri('entity-sources.yaml').toString(), name: 'api', kind: 'rest', secrets: ['lab'] },
        ...{ icon: 'globe', abilities: ['explore', 'signIn'] },
      };
      const row = { kind: 'source', source, missingSecrets: [] };
      assert.deepEqual(await answering([], () => commands.executeCommand('entityGraph.refreshSource', row)), []);
      await waitFor('the service is asked', () => lab.keysSeen.length > before);
    });

    it('Go to Data Source opens its configuration', async () => {
      await runOn(undefined, 'openSource', [pick(/^Go to Data Source \| Data source$/, 'api')]);
      const editor = window.activeTextEditor;
      assert.equal(editor?.document.uri.fsPath, lab.uri('entity-sources.yaml').fsPath);
      assert.match(editor.document.lineAt(editor.selection.active.line).text, /^ {2}api:/);
    });

    it('Preview Rows and Show Details ask for a data object', async () => {
      const answers = (title: string) => [
        pick(new RegExp(`^${title} \\| Data source$`), 'shop'),
        pick(new RegExp(`^${title} \\| Data object of shop$`), 'customers'),
      ];
      await runOn(undefined, 'previewRows', answers('Preview Rows'));
      await showsResults('customers');
      await commands.executeCommand('workbench.action.closeAllEditors');
      // The only data object of a source is chosen without a question.
      await runOn(undefined, 'showObjectDetails', [pick(/^Show Details of Data Object \| Data source$/, 'api')]);
      await showsResults('deliveries');
    });

    it('Find Uses of Column lists what the graphs make of it, and shows the chosen place', async () => {
      const title = 'Find Uses of Column';
      await runOn(undefined, 'findColumnUses', [
        pick(/^Find Uses of Column \| Data source$/, 'shop'),
        pick(new RegExp(`^${title} \\| Data object of shop$`), 'orders'),
        pick(new RegExp(`^${title} \\| A column of orders$`), 'amount'),
        pick(/^Uses of orders\.amount \|/, 'Place Order · property amount'),
      ]);
      const editor = window.activeTextEditor;
      // Graphs of other tests use the column, too.
      assert.match(editor?.document.uri.fsPath ?? '', /\.entity\.yaml$/);
      assert.match(editor?.document.getText(editor.selection) ?? '', /^(amount|all)$/);
    });
  });

  describe('queries and imports', () => {
    it('Copy Query copies the text of Show Query, Open Query in a New File opens it', async () => {
      const { document } = await window.showTextDocument(lab.uri('shop.entity.yaml'));
      const at = document.positionAt(document.getText().indexOf('activityName'));
      await window.showTextDocument(document, { selection: new Selection(at, at) });
      await run('showQuery');
      const shown = window.activeTextEditor?.document;
      assert.equal(shown?.uri.scheme, 'entity-graph-query');
      assert.match(shown.getText(), /SELECT[^]*"placed_at"/);
      await env.clipboard.writeText('');
      await run('copyQuery');
      assert.equal(await env.clipboard.readText(), shown.getText());
      await run('openQueryAsFile');
      const opened = window.activeTextEditor?.document;
      assert.deepEqual([opened?.isUntitled, opened?.languageId, opened?.getText()], [true, 'sql', shown.getText()]);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('Open Canvas takes the only graph that is shown or open while SQL or results are in front', async () => {
      await window.showTextDocument(lab.uri('api.entity.yaml'), { preview: false });
      await run('showQuery', undefined, { kind: 'element', name: 'Deliver' });
      assert.equal(window.activeTextEditor?.document.uri.scheme, 'entity-graph-query');
      await answering([], () => run('openCanvas'));
      await waitFor('the canvas', () => shownCanvas() === 'lab/api.entity.yaml', shownCanvas);
      await answering([], () => run('testQuery', lab.uri('api.entity.yaml')));
      await showsResults('Deliver');
      await commands.executeCommand('workbench.action.focusNextGroup');
      await answering([], () => run('openCanvas'));
      await waitFor('the canvas', () => shownCanvas() === 'lab/api.entity.yaml', shownCanvas);
      // Two graphs are open and none is shown: the user chooses.
      await window.showTextDocument(lab.uri('shop.entity.yaml'), { preview: false });
      await window.showTextDocument(lab.uri('entity-sources.yaml'), { preview: false });
      await commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
      await answering([pick(/Entity graph$/, 'lab/shop.entity.yaml')], () => run('openCanvas'));
      await waitFor('the canvas', () => shownCanvas() === 'lab/shop.entity.yaml', shownCanvas);
    });

    it('Test Query asks for an element only when there are several', async () => {
      await answering([], () => run('testQuery', lab.uri('api.entity.yaml')));
      await showsResults('Deliver');
      await commands.executeCommand('workbench.action.closeAllEditors');
      const second = '  - { activityName: Return, dataObject: deliveries, startTimestamp: at }\n';
      const two = lab.uri('two.entity.yaml');
      await writeFile(two.fsPath, `${await lab.text('api.entity.yaml')}${second}`);
      await answering([pick(/Element, entities or relationship/, '$(symbol-event) Return')], () =>
        run('testQuery', two),
      );
      await showsResults('Return');
      await rm(two.fsPath);
    });

    it('Cancel Import stops an import without any change', async () => {
      lab.hold(true);
      const importing = runOn('api.entity.yaml', 'import');
      await waitFor('the service is asked', () => lab.waiting() > 0);
      await run('cancelImport');
      assert.deepEqual(await importing, []);
      await waitFor('the request is given up', () => lab.waiting() === 0);
      lab.hold(false);
      assert.ok(logLines.includes('info: Import of api.entity.yaml: cancelled'), logLines.join('\n'));
      const { status, progress } = await state('api');
      assert.deepEqual([status, existsSync(join(lab.folder, '.entity-graph/graphs/api'))], ['Not Imported', false]);
      assert.match(String(progress), /cancelled/i);
    });
  });
});
