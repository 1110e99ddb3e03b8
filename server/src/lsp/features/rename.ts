import {
  LSPErrorCodes,
  type PrepareRenameParams,
  type PrepareRenameResult,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { NamedSymbol } from '../../language/names.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { nameIn, sourceNameAt } from './name-at-position.ts';
import { toWorkspaceEdit } from './to-workspace-edit.ts';

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
      return 'refusal' in result
        ? refusal(result.refusal)
        : toWorkspaceEdit(document, result.edits, server.abilities().forms);
    },
  };
}

/** Activities, entity types and explicit relationship names; other names belong to the source, or are derived. */
function isOurs({ kind, definition }: NamedSymbol): boolean {
  return kind === 'activity' || kind === 'entityType' || (kind === 'relationship' && definition !== undefined);
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, message);
}
