import {
  LSPErrorCodes,
  type PrepareRenameParams,
  type PrepareRenameResult,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { Renaming } from '../../graph-tests/rename-in-tests.ts';
import type { NamedSymbol } from '../../language/names.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { nameIn, sourceNameAt } from './name-at-position.ts';
import type { DocumentEdits } from './renames-in-tests.ts';
import { workspaceEditOf } from './to-workspace-edit.ts';

/** `textDocument/prepareRename` and `textDocument/rename` */
interface Rename {
  readonly prepare: RequestWork<PrepareRenameParams, PrepareRenameResult | null>;
  readonly rename: RequestWork<RenameParams, WorkspaceEdit | ResponseError<void>>;
}

export function createRename(server: LanguageServer, folders: () => readonly string[]): Rename {
  return {
    async prepare(params) {
      const source = await sourceNameAt(server, params);
      if (source) return { range: source.range, placeholder: source.name };
      const found = await nameIn(server, params);
      if (!found || !isOurs(found.thing)) return null;
      return { range: found.document.lines.range(found.thing.range), placeholder: found.thing.name };
    },
    async rename(params) {
      const { renameSymbol } = await import('../../language/names.ts');
      const { renamingsOf } = await import('./renames-in-tests.ts');
      const source = await sourceNameAt(server, params);
      if (source) {
        const { renameDataSource } = await import('./rename-data-source.ts');
        const renamed = await renameDataSource(server, folders(), source.sourcesPath, source.name, params.newName);
        return 'refusal' in renamed ? refusal(renamed.refusal) : renamed.edit;
      }
      const found = await nameIn(server, params);
      if (!found) return refusal('There is no name here that can be changed.');
      const { document, thing } = found;
      const result = renameSymbol(document.parsed, thing, params.newName);
      if ('refusal' in result) return refusal(result.refusal);
      const renamed = renamingsOf(document.parsed, result.edits);
      const own = workspaceEditOf([{ document, edits: result.edits }], server.abilities().forms);
      if (document.path === undefined) return own;
      const inTests = await renamedTests(document.path, thing, params.newName, renamed);
      if ('refusal' in inTests) return refusal(inTests.refusal);
      return withEditsOf(own, workspaceEditOf(inTests, server.abilities().forms));
    },
  };

  /** The same names in the files of tests of the graph. */
  async function renamedTests(
    path: string,
    { kind, name }: NamedSymbol,
    newName: string,
    renamed: readonly Renaming[],
  ): Promise<readonly DocumentEdits[] | { readonly refusal: string }> {
    const { editsOfTests, testsOfGraph } = await import('./renames-in-tests.ts');
    const own: readonly Renaming[] = kind === 'entityType' || kind === 'rule' ? [{ role: kind, name, newName }] : [];
    return editsOfTests(server, await testsOfGraph(server, folders(), path), [...own, ...renamed]);
  }
}

/** Activities, entity types and explicit relationship names; other names belong to the source, or are derived. */
function isOurs({ kind, definition }: NamedSymbol): boolean {
  return kind === 'activity' || kind === 'entityType' || (kind === 'relationship' && definition !== undefined);
}

/** Both edits as one. */
function withEditsOf(own: WorkspaceEdit, more: WorkspaceEdit): WorkspaceEdit {
  return own.documentChanges
    ? { documentChanges: [...own.documentChanges, ...(more.documentChanges ?? [])] }
    : { changes: { ...own.changes, ...more.changes } };
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, message);
}
