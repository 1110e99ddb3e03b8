import type { Uri } from 'vscode';
import { Range, TabInputText, type TextDocumentShowOptions, ViewColumn, window } from 'vscode';
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

/** Shows the text of a file in the same way, its selection as it was. */
export async function showText(uri: Uri): Promise<void> {
  await window.showTextDocument(uri, { viewColumn: columnOf(uri) ?? otherColumn() });
}

function toRange({ start, end }: TextRange): Range {
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
