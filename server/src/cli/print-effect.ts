import { escapeTableCell } from '../../../protocol/escape-markdown.ts';
import type { ChangedRows } from '../../../protocol/graph-changes.ts';
import type { EffectBase, EffectCondition, GraphEffect } from '../../../protocol/graph-effect.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { changeLines, changeTables } from './print-changes.ts';
import { shownPath } from './print-problems.ts';
import { type Line, paint } from './styled-text.ts';
import { textTable } from './text-table.ts';

export function effectLines(effect: GraphEffect): readonly Line[] {
  const { changes, rows = [], conditions = [] } = effect;
  return [
    `${shownPath(effect.file)}, compared with ${baseName(effect.base)}`,
    ...outcomeText(effect),
    ...(changes ? changeLines(changes) : []),
    ...schemaTexts(effect).flatMap((text, index) => (index === 0 ? ['', text] : [text])),
    ...rows.flatMap((each) => ['', rowsTitle(each), ...textTable(each.columns, each.rows.map(cellTexts))]),
    ...(conditions.length > 0 ? [''] : []),
    ...conditions.map((condition) =>
      condition.isMet ? paint.red(conditionText(condition)) : conditionText(condition),
    ),
  ];
}

/**
 * A comment for a pull request. Its first line names the graph, so that a later comment can replace it; rows are only in
 * it if they were asked for.
 */
export function effectMarkdown(effect: GraphEffect): string {
  const { changes, rows = [], conditions = [] } = effect;
  const path = shownPath(effect.file);
  const failed = conditions.filter(({ isMet }) => isMet);
  return [
    `<!-- entity-graph effect: ${path.replaceAll(/[^\w./ ]/g, (character) => `%${character.codePointAt(0)?.toString(16) ?? ''}`)} -->`,
    `### Effect on ${escapeTableCell(path)}`,
    '',
    `Compared with ${escapeTableCell(baseName(effect.base))}.`,
    ...outcomeText(effect).flatMap((text) => ['', escapeTableCell(text)]),
    ...(failed.length > 0 ? ['', ...failed.map((each) => `* ❌ ${escapeTableCell(conditionText(each))}`)] : []),
    ...(changes ? changeTables(changes) : []).flatMap(({ header, rows: cells, more }) => [
      '',
      ...markdownTable(header, cells, 1),
      ...(more > 0 ? ['', `… and ${thousands(more)} more`] : []),
    ]),
    ...schemaTexts(effect).flatMap((text, index) => [...(index === 0 ? [''] : []), `* ${escapeTableCell(text)}`]),
    ...rows.flatMap((each) => [
      '',
      `<details><summary>${rowsTitle(each)}</summary>`,
      '',
      ...markdownTable(each.columns, each.rows.map(cellTexts), Infinity),
      '',
      '</details>',
    ]),
    '',
  ].join('\n');
}

function rowsTitle({ part, kind, rows, truncated }: ChangedRows): string {
  return `${part}.${kind}${truncated ? ` (the first ${rows.length})` : ''}`;
}

function outcomeText({ state, changes, schema = [] }: GraphEffect): readonly string[] {
  if (state === 'new') return ['The base does not have this graph: everything in it is new.'];
  if (state === 'same text') return ['The texts are the same.'];
  return changes?.changed === true || schema.length > 0 ? [] : ['No effect: both texts give the same graph.'];
}

function schemaTexts({ schema = [] }: GraphEffect): readonly string[] {
  return schema.map(
    ({ element, property, before, after }) => `${element}, ${property}: ${before ?? 'not there'} → ${after ?? 'gone'}`,
  );
}

function baseName({ kind, name, path, commit = '' }: EffectBase): string {
  if (kind === 'last') return 'the text of the last import';
  return kind === 'file' ? shownPath(path) : `${shownPath(path)} of ${name} (${commit.slice(0, 10)})`;
}

function conditionText({ condition, value, isMet }: EffectCondition): string {
  const is = value === null ? 'there was none before' : `is ${Number(value.toFixed(2))}`;
  return `${isMet ? 'failed' : 'passed'}: ${condition} (${is})`;
}

/** @param rightFrom the first column of numbers */
function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightFrom: number,
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header.map(escapeTableCell)),
    line(header.map((_, column) => (column >= rightFrom ? '--:' : '---'))),
    ...rows.map((row) => line(row.map(escapeTableCell))),
  ];
}

function cellTexts(row: ChangedRows['rows'][number]): readonly string[] {
  return row.map((cell) => (cell === null ? '' : String(cell)));
}
