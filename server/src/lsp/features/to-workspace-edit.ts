import type { WorkspaceEdit } from 'vscode-languageserver/node';
import type { VerifiedEdits } from '../../model/edits/verified-edits.ts';
import type { ClientForms } from '../client-forms.ts';
import type { OpenDocument } from '../documents/open-documents.ts';

/** Edits of an open document; if the client supports it, valid for their version only. */
export function toWorkspaceEdit(
  document: Pick<OpenDocument, 'uri' | 'lines'> & { readonly version: number | null },
  edits: VerifiedEdits,
  forms: Pick<ClientForms, 'documentChanges'>,
): WorkspaceEdit {
  return workspaceEditOf([{ document, edits }], forms);
}

/** Edits of several documents. */
export function workspaceEditOf(
  all: readonly {
    readonly document: Parameters<typeof toWorkspaceEdit>[0];
    readonly edits: VerifiedEdits;
  }[],
  { documentChanges }: Pick<ClientForms, 'documentChanges'>,
): WorkspaceEdit {
  const changes = all.map(({ document: { uri, version, lines }, edits }) => ({
    textDocument: { uri, version },
    edits: edits.map(({ range, newText }) => ({ range: lines.range(range), newText })),
  }));
  if (documentChanges) return { documentChanges: changes };
  return { changes: Object.fromEntries(changes.map(({ textDocument, edits }) => [textDocument.uri, edits])) };
}
