import type { WorkspaceEdit } from 'vscode-languageserver/node';
import type { ProvenEdits } from '../../model/edits/proven-edits.ts';
import type { OpenDocument } from '../documents/open-documents.ts';

/** Edits of an open document. An editor applies them to the version only that they were made for. */
export function toWorkspaceEdit({ uri, version, lines }: OpenDocument, edits: ProvenEdits): WorkspaceEdit {
  const changes = edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
  return { documentChanges: [{ textDocument: { uri, version }, edits: changes }] };
}
