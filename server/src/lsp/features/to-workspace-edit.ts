import type { WorkspaceEdit } from 'vscode-languageserver/node';
import type { VerifiedEdits } from '../../model/edits/verified-edits.ts';
import type { OpenDocument } from '../documents/open-documents.ts';

/** Edits of an open document, valid for their version only. */
export function toWorkspaceEdit({ uri, version, lines }: OpenDocument, edits: VerifiedEdits): WorkspaceEdit {
  const changes = edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
  return { documentChanges: [{ textDocument: { uri, version }, edits: changes }] };
}
