import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  ConfigurationTarget,
  type Diagnostic,
  type Hover,
  type Position,
  Range,
  Selection,
  TabInputCustom,
  TabInputText,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  commands,
  extensions,
  languages,
  window,
  workspace,
} from 'vscode';
import packageJson from '../../package.json';
import { answering } from './person.ts';
import { waitFor } from './wait-for.ts';

const id = `${packageJson.publisher}.${packageJson.name}`;

describe('extension in VS Code', () => {
  let document: TextDocument;

  before(async () => {
    document = await workspace.openTextDocument(fileUri('incidents/incidents.entity.yaml'));
    await window.showTextDocument(document);
  });
  after(() => commands.executeCommand('workbench.action.closeAllEditors'));

  it('recognises its languages by file name', async () => {
    const sources = await workspace.openTextDocument(fileUri('incidents/entity-sources.yaml'));
    assert.deepEqual([document.languageId, sources.languageId], ['entity-graph', 'entity-sources']);
  });

  it('recognises its languages also where all YAML and JSON files are associated with others', async () => {
    const files = workspace.getConfiguration('files');
    const before = files.inspect<object>('associations')?.workspaceValue;
    const all = { '*.yaml': 'yaml', '**/*.yml': 'yaml', '*.json': 'jsonc' };
    await files.update('associations', all, ConfigurationTarget.Workspace);
    try {
      const made = join(fileUri('incidents').fsPath, 'associated');
      const names = [
        'a.entity.yaml',
        'b.entity.yml',
        'c.entity.json',
        'd.entity.test.yaml',
        'entity-sources.yml',
        'e.yaml',
      ];
      for (const name of names) await workspace.fs.writeFile(Uri.file(join(made, name)), new Uint8Array());
      const opened = await Promise.all(names.map((name) => workspace.openTextDocument(join(made, name))));
      assert.deepEqual(
        opened.map(({ languageId }) => languageId),
        ['entity-graph', 'entity-graph', 'entity-graph', 'entity-tests', 'entity-sources', 'yaml'],
      );
      rmSync(made, { recursive: true });
    } finally {
      await files.update('associations', before, ConfigurationTarget.Workspace);
    }
  });

  it('is activated by its languages', async () => {
    const extension = extensions.getExtension(id);
    assert.ok(extension, id);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every declared command', async () => {
    const declared = packageJson.contributes.commands.map(({ command }) => command);
    const known = new Set(await commands.getCommands(true));
    assert.deepEqual(
      declared.filter((command) => !known.has(command)),
      [],
    );
  });

  it('shows a problem, and clears it when fixed', async () => {
    const place = document.getText().indexOf('startTimestamp: resolved_at') + 'startTimestamp: resolved_at'.length;
    await insert(document, place, 'x');
    // Other messages may come before it, while columns are being read.
    const [problem] = await diagnosticsOf(document, /resolved_atx/);
    assert.equal(problem?.source, 'entity-graph');
    await commands.executeCommand('undo');
    await noDiagnosticsOf(document);
  });

  it('completes columns of the file', async () => {
    const place = document.getText().indexOf('startTimestamp: opened_at') + 'startTimestamp: '.length;
    const list = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(place),
    );
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('opened_at') && labels.includes('resolved_at'), labels.join());
  });

  it('shows a hover', async () => {
    const place = document.getText().indexOf('startTimestamp') + 2;
    const hovers = await commands.executeCommand<Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(place),
    );
    assert.equal(hovers.length, 1);
  });

  it('renames an activity and its uses as one undo step', async () => {
    const before = document.getText();
    const place = document.positionAt(before.indexOf('activityName: Open Incident') + 'activityName: '.length);
    const edit = await commands.executeCommand<WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      place,
      'Start Incident',
    );
    assert.equal(await workspace.applyEdit(edit), true);
    const uses = /(activityName|target|activity|after): Open Incident/g;
    assert.equal(document.getText(), before.replaceAll(uses, '$1: Start Incident'));
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), before);
  });

  it('offers a quick fix for a misspelt field', async () => {
    const offset = document.getText().indexOf('startTimestamp: resolved_at') + 'startT'.length;
    await insert(document, offset, 'x');
    const [problem] = await diagnosticsOf(document, /startTximestamp/);
    assert.ok(problem);
    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title === 'Change to "startTimestamp"');
    assert.ok(fix?.edit && fix.isPreferred === true, actions.map(({ title }) => title).join());
    assert.equal(await workspace.applyEdit(fix.edit), true);
    await noDiagnosticsOf(document);
  });

  it('shows code lenses with commands for their element', async () => {
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
    const lens = lenses.find(({ command }) => command?.title === 'Show Query');
    assert.ok(lens?.command);
    await commands.executeCommand(lens.command.command, ...((lens.command.arguments ?? []) as unknown[]));
    assert.match(window.activeTextEditor?.document.getText() ?? '', /SELECT[\s\S]*"sys_updated_at"/);
    await commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('shows the query of the element at the cursor as read-only SQL', async () => {
    const editor = await window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf('activityName: Open Incident'));
    editor.selections = [new Selection(at, at)];
    await commands.executeCommand('entityGraph.showQuery');
    const shown = window.activeTextEditor?.document;
    assert.deepEqual([shown?.uri.scheme, shown?.languageId], ['entity-graph-query', 'sql']);
    assert.match(shown?.getText() ?? '', /SELECT[\s\S]*"opened_at"[\s\S]*FROM[\s\S]*"incident_event_log"/);
    await commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('opens the canvas in place and to the side, and the text again', async () => {
    const canvases = () =>
      window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.filter(({ input }) => input instanceof TabInputCustom && input.viewType === 'entityGraph.canvas'),
      );
    const columns = () => canvases().map(({ group }) => group.viewColumn);
    await commands.executeCommand('entityGraph.openCanvas', document.uri);
    await waitFor('it is in place', () => columns().join() === '1', columns);
    await commands.executeCommand('entityGraph.reopenAsText', document.uri);
    const active = () => window.tabGroups.activeTabGroup.activeTab?.input;
    await waitFor('the text is there', () => active() instanceof TabInputText, active);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await window.showTextDocument(document);
    await commands.executeCommand('entityGraph.openCanvasToSide', document.uri);
    const labels = (): readonly string[] => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    await waitFor('the canvas has a title of its own', () => labels().includes(`${name} (Canvas)`), labels);
    assert.ok(labels().includes(name), labels().join());
    await waitFor('it is beside the text', () => columns().join() === '2', columns);
  });

  it('imports', async () => {
    const state = join(workspaceFolder(), 'incidents/.entity-graph');
    rmSync(state, { recursive: true, force: true });
    // The notification is closed, and with it the command, before the next step.
    await answering([], () => commands.executeCommand('entityGraph.import', document.uri));
    const status = JSON.parse(readFileSync(join(state, 'state/incidents.json'), 'utf8')) as { status: string };
    assert.deepEqual([status.status, existsSync(join(state, 'graphs/incidents'))], ['Imported', true]);
  });
});

function workspaceFolder(): string {
  const folder = workspace.workspaceFolders?.[0];
  assert.ok(folder, 'No folder is open.');
  return folder.uri.fsPath;
}

function fileUri(path: string): Uri {
  return Uri.file(join(workspaceFolder(), path));
}

async function insert(document: TextDocument, offset: number, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  const at: Position = document.positionAt(offset);
  edit.replace(document.uri, new Range(at, at), text);
  assert.equal(await workspace.applyEdit(edit), true);
}

/** Resolves with the problems of a document whose message matches, as soon as there are any. */
async function diagnosticsOf(document: TextDocument, message: RegExp): Promise<readonly Diagnostic[]> {
  const all = () => languages.getDiagnostics(document.uri);
  const found = () => all().filter((problem) => message.test(problem.message));
  await waitFor(`a problem says ${message}`, () => found().length > 0, all);
  return found();
}

function noDiagnosticsOf(document: TextDocument): Promise<void> {
  const all = () => languages.getDiagnostics(document.uri);
  return waitFor('there is no problem', () => all().length === 0, all);
}
