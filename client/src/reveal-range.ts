import type { Uri } from 'vscode';
import {
  Range,
  Selection,
  TabInputText,
  type TextDocumentShowOptions,
  TextEditorRevealType,
  ViewColumn,
  window,
} from 'vscode';
import type { TextRange } from '../../protocol/query-results.ts';

/** Selects a range in the text of a file, in the editor that shows it already if there is one. */
export async function revealRange(uri: Uri, range: TextRange): Promise<void> {
  const options: TextDocumentShowOptions = {
    viewColumn: columnOf(uri) ?? otherColumn(),
    selection: toRange(range),
    preserveFocus: false,
  };
  await window.showTextDocument(uri, options);
}

/** Moves an editor that shows the file already to a range; the focus stays where it is. */
export function revealInVisible(uri: Uri, range: TextRange): void {
  const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  if (!editor) return;
  const place = toRange(range);
  editor.selection = new Selection(place.start, place.start);
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows the text of a file in the same way, its selection as it was. */
export async function showText(uri: Uri): Promise<void> {
  await window.showTextDocument(uri, { viewColumn: columnOf(uri) ?? otherColumn() });
}

/** A range of the protocol as VS Code has it. */
export function toRange({ start, end }: TextRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** The column that holds the text of the file, be it in front or behind. */
function columnOf(uri: Uri): ViewColumn | undefined {
  const holds = (input: unknown): boolean => input instanceof TabInputText && input.uri.toString() === uri.toString();
  return window.tabGroups.all.find((group) => group.tabs.some((tab) => holds(tab.input)))?.viewColumn;
}

/** Text is opened beside what asked for it, not over it. */
function otherColumn(): ViewColumn {
  return window.tabGroups.activeTabGroup.viewColumn === ViewColumn.One ? ViewColumn.Beside : ViewColumn.One;
}
