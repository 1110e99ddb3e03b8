import type { ColumnRole, ColumnUse, Output } from '../lineage/output.ts';
import { outputWords } from '../lineage/output-words.ts';
import { columnsBehind, columnsNamed, outputsOf } from '../lineage/trace.ts';
import { type UntracedObject, untracedText } from '../lineage/untraced-objects.ts';
import type { LineIndex } from '../model/line-index.ts';
import { didYouMean } from '../model/nearest-name.ts';
import { type Line, paint, styled } from './styled-text.ts';
import { textTable } from './text-table.ts';

/** A table of the outputs and the columns behind them. */
export function lineageLines(outputs: readonly Output[]): readonly Line[] {
  const rows = outputs.flatMap((output): readonly (readonly string[])[] => {
    // What chooses the rows of an entry is said once, at its rows.
    const uses = output.of === undefined ? columnsBehind(output) : output.columns;
    if (uses.length === 0) return [];
    return [[outputWords(output), columnsText(uses, isValue), columnsText(uses, (role) => !isValue(role))]];
  });
  if (rows.length === 0) return ['Nothing in this file is made of columns yet.'];
  return textTable(['part of the graph', 'columns', 'rows chosen by'], rows);
}

/** What a column feeds, with the lines of the file. */
export function columnLines(
  text: string,
  outputs: readonly Output[],
  lines: LineIndex,
  untraced: readonly UntracedObject[],
): readonly Line[] {
  const columns = columnsNamed(text, outputs);
  if (columns.length === 0) {
    const read = untraced.filter(({ dataObject }) => isOf(text, dataObject));
    const said = read.length === 0 ? 'Nothing in this file uses' : 'No traced SQL of this file uses';
    return [`${said} the column ${text}.`, ...read.map(untracedText), ...usedInstead(text, outputs)];
  }
  return columns.flatMap((column): readonly Line[] => [
    styled`${paint.bold(text)} ${paint.dim(`of ${column.dataSource}`)} feeds`,
    ...outputsOf(column, outputs).map(
      (output) => styled`  ${outputWords(output)}  ${paint.dim(`line ${lines.position(output.range.start).line + 1}`)}`,
    ),
  ]);
}

function usedInstead(text: string, outputs: readonly Output[]): readonly Line[] {
  const uses = outputs.flatMap(({ columns }) => columns);
  const key = text.toLowerCase();
  const sameButCase = uses
    .map(({ dataObject, column }) => `${dataObject}.${column}`)
    .filter((name) => name.toLowerCase() === key);
  const question = didYouMean([...new Set(sameButCase)]);
  if (question !== undefined) return [question];
  const object = uses.find(({ dataObject }) => isOf(text, dataObject))?.dataObject;
  const names =
    object === undefined
      ? uses.map(({ dataObject }) => dataObject)
      : uses.filter(({ dataObject }) => dataObject === object).map(({ column }) => column);
  const listed = [...new Set(names)].join(', ');
  if (listed === '') return [];
  return [object === undefined ? `Write OBJECT.COLUMN, with one of ${listed}.` : `It uses of ${object}: ${listed}.`];
}

/** Whether a text such as `orders.amount` names a column of a data object, in any case. */
function isOf(text: string, dataObject: string): boolean {
  return text.toLowerCase().startsWith(`${dataObject.toLowerCase()}.`);
}

function isValue(role: ColumnRole): boolean {
  return role === 'value' || role === 'computed';
}

function columnsText(uses: readonly ColumnUse[], isMeant: (role: ColumnRole) => boolean): string {
  const names = uses.filter(({ role }) => isMeant(role)).map(({ dataObject, column }) => `${dataObject}.${column}`);
  return [...new Set(names)].join(', ');
}
