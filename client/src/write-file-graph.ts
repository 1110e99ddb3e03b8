import { Range, type TextDocument, Uri, WorkspaceEdit, l10n, workspace } from 'vscode';
import type { DraftedFile } from './draft-of-file.ts';
import type { GraphLanguage } from './language-client.ts';

/** A graph that was written for a data file. */
interface WrittenGraph {
  readonly uri: Uri;
  /** Removes what was written, as long as nobody changed it. */
  takeBack(): Promise<void>;
}

/** Writes the graph and its data source as one step of undo. Rejects with the reason if VS Code does not. */
export async function writeFileGraph(
  language: GraphLanguage,
  { graph, text, sources }: DraftedFile,
): Promise<WrittenGraph> {
  const [uri, sourcesUri] = [Uri.parse(graph), Uri.parse(sources.uri)];
  const stateFolder = Uri.joinPath(sourcesUri, '..', '.entity-graph');
  const hadState = await exists(stateFolder);
  const isNew = !(await exists(uri));
  const writing = applied(sourcesUri, async (attempt) => {
    const edit = new WorkspaceEdit();
    // An attempt that failed at the sources file may have created the graph.
    edit.createFile(uri, { contents: bytes(text), overwrite: isNew && attempt > 0 });
    if (sources.before === undefined) edit.createFile(sourcesUri, { contents: bytes(sources.after) });
    else await replaceText(edit, sourcesUri, sources.before, sources.after);
    return edit;
  });
  await writing.catch(async (error: unknown) => {
    if (isNew && (await exists(uri))) await workspace.fs.delete(uri);
    throw error;
  });
  return {
    uri,
    async takeBack() {
      await language.request('entityGraph/delete', { uri: graph });
      await applied(sourcesUri, async () => {
        const back = new WorkspaceEdit();
        if (sources.before === undefined) back.deleteFile(sourcesUri, { ignoreIfNotExists: true });
        else await replaceText(back, sourcesUri, sources.after, sources.before);
        return back;
      });
      if (!hadState && sources.before === undefined && (await exists(stateFolder)))
        await workspace.fs.delete(stateFolder, { recursive: true });
    },
  };
}

/** Replaces the text of a drafted graph. Rejects if it was changed since. */
export async function rewriteGraph(uri: Uri, before: string, after: string): Promise<void> {
  await applied(uri, async () => {
    const edit = new WorkspaceEdit();
    await replaceText(edit, uri, before, after);
    return edit;
  });
}

/** Edits fail while VS Code is reading a changed file again. */
const attempts = 5;
const retryMs = 200;

/** Applies an edit, and saves the text file that is part of it. */
async function applied(text: Uri, edit: (attempt: number) => Promise<WorkspaceEdit>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (await workspace.applyEdit(await edit(attempt))) break;
      throw new Error(l10n.t('The editor did not apply the change. Check that the file is writable.'));
    } catch (error) {
      if (attempt + 1 === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
  const document = workspace.textDocuments.find(({ uri }) => uri.toString() === text.toString());
  if (document?.isDirty) await document.save();
}

async function replaceText(edit: WorkspaceEdit, uri: Uri, before: string, after: string): Promise<void> {
  if (before === after) return;
  const document = await workspace.openTextDocument(uri);
  const isStale = document.getText() !== before;
  // VS Code may not have read the file again that another program has changed.
  if (isStale && !document.isDirty && (await textOnDisk(uri)) === before)
    return edit.createFile(uri, { contents: bytes(after), overwrite: true });
  if (isStale) throw new Error(l10n.t('{0} was changed meanwhile. Change it there.', workspace.asRelativePath(uri)));
  const { start, end, newText } = changedPart(before, after);
  edit.replace(uri, rangeOf(document, start, end), newText);
}

function changedPart(before: string, after: string): { start: number; end: number; newText: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, newText: after.slice(start, after.length - same) };
}

function rangeOf(document: TextDocument, start: number, end: number): Range {
  return new Range(document.positionAt(start), document.positionAt(end));
}

async function textOnDisk(uri: Uri): Promise<string> {
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
