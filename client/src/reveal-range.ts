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

/** Selects a range of a file, in an already open editor if possible. */
export async function revealRange(uri: Uri, range: TextRange): Promise<void> {
  const options: TextDocumentShowOptions = {
    viewColumn: columnOf(uri) ?? otherColumn(),
    selection: toRange(range),
    preserveFocus: false,
  };
  await window.showTextDocument(uri, options);
}

/** Scrolls a visible editor to a range without moving the focus. */
export function revealInVisible(uri: Uri, range: TextRange): void {
  const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  if (!editor) return;
  const place = toRange(range);
  editor.selection = new Selection(place.start, place.start);
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Opens the text of a file, keeping its selection. */
export async function showText(uri: Uri): Promise<void> {
  await window.showTextDocument(uri, { viewColumn: columnOf(uri) ?? otherColumn() });
}

/** Converts a protocol range to a VS Code range. */
export function toRange({ start, end }: TextRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** The editor column with the text of the file, active or hidden. */
function columnOf(uri: Uri): ViewColumn | undefined {
  const holds = (input: unknown): boolean => input instanceof TabInputText && input.uri.toString() === uri.toString();
  return window.tabGroups.all.find((group) => group.tabs.some((tab) => holds(tab.input)))?.viewColumn;
}

/** Opens text beside the current editor, not over it. */
function otherColumn(): ViewColumn {
  return window.tabGroups.activeTabGroup.viewColumn === ViewColumn.One ? ViewColumn.Beside : ViewColumn.One;
}
