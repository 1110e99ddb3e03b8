import { durationText } from '../../../protocol/duration-text.ts';
import { escapeForComment } from '../../../protocol/escape-markdown.ts';
import { changeParts } from '../../../protocol/graph-changes.ts';
import type {
  EffectAttribution,
  EffectBase,
  EffectCondition,
  EffectDelta,
  EffectPart,
  GraphEffect,
} from '../../../protocol/graph-effect.ts';
import type { GraphTotals } from '../../../protocol/import-progress.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { cellTexts, changeLines, changeTables, rowLines, rowsTitle, schemaText } from './print-changes.ts';
import { shownPath } from './print-problems.ts';
import { type Line, paint } from './styled-text.ts';
import { textTable } from './text-table.ts';
import { withinComment } from './within-comment.ts';

export function effectLines(effect: GraphEffect): readonly Line[] {
  const { changes, schema = [], rows = [], conditions = [] } = effect;
  return [
    `${shownPath(effect.file)}, compared with ${baseName(effect.base)}`,
    ...outcomeText(effect),
    ...(changes ? changeLines(changes) : []),
    ...schema.map(schemaText).flatMap((text, index) => (index === 0 ? ['', text] : [text])),
    ...attributionLines(effect.attribution),
    ...rowLines(rows),
    ...(conditions.length > 0 ? [''] : []),
    ...conditions.map((condition) =>
      isFailed(condition) ? paint.red(conditionText(condition)) : conditionText(condition),
    ),
  ];
}

/**
 * A comment for a pull request. Its first line names the graph, so that a later comment can replace it; rows are only in
 * it if they were asked for.
 */
export function effectMarkdown(effect: GraphEffect): string {
  return withinComment([markerOf('effect', effect.file), ...effectSection(effect)]).join('\n');
}

/** A line that is the same for every run on a file or folder. */
export function markerOf(command: string, path: string): string {
  const shown = path === process.cwd() ? '.' : shownPath(path);
  const name = shown.replaceAll(/[^\w./ ]/g, (character) => `%${character.codePointAt(0)?.toString(16) ?? ''}`);
  return `<!-- entity-graph ${command}: ${name} -->`;
}

/** The lines of one graph in a comment. */
export function effectSection(effect: GraphEffect): readonly string[] {
  const { changes, schema = [], rows = [], conditions = [] } = effect;
  const path = shownPath(effect.file);
  const failed = conditions.filter(isFailed);
  return [
    `### Effect on ${escapeForComment(path)}`,
    '',
    `Compared with ${escapeForComment(baseName(effect.base))}.`,
    ...outcomeText(effect).flatMap((text) => ['', escapeForComment(text)]),
    ...(failed.length > 0 ? ['', ...failed.map((each) => `* ❌ ${escapeForComment(conditionText(each))}`)] : []),
    ...(changes ? changeTables(changes) : []).flatMap(({ header, rows: cells, more }) => [
      '',
      ...markdownTable(header, cells, 1),
      ...(more > 0 ? ['', `… and ${thousands(more)} more`] : []),
    ]),
    ...schema.map(schemaText).flatMap((text, index) => [...(index === 0 ? [''] : []), `* ${escapeForComment(text)}`]),
    ...attributionMarkdown(effect.attribution),
    ...rows.flatMap((each) => [
      '',
      `<details><summary>${rowsTitle(each)}</summary>`,
      '',
      ...markdownTable(each.columns, each.rows.map(cellTexts), Infinity),
      '',
      '</details>',
    ]),
    '',
  ];
}

/** A table of the edits and what each does; none where it says nothing new. */
function attributionLines(attribution: EffectAttribution | undefined): readonly string[] {
  if (!attribution) return [];
  const rows = attributionRows(attribution);
  return [
    ...(rows.length > 0 ? ['', ...textTable(attributionHeader, rows)] : []),
    ...attributionNotes(attribution).flatMap((text) => ['', text]),
  ];
}

function attributionMarkdown(attribution: EffectAttribution | undefined): readonly string[] {
  if (!attribution) return [];
  const rows = attributionRows(attribution);
  return [
    ...(rows.length > 0 ? ['', ...markdownTable(attributionHeader, rows, Infinity)] : []),
    ...attributionNotes(attribution).flatMap((text) => ['', escapeForComment(text)]),
  ];
}

const attributionHeader = ['Edit', 'What it does'];

function attributionRows({ parts, together }: EffectAttribution): readonly (readonly string[])[] {
  return [
    ...parts.map((part) => [partTitle(part), partText(part)]),
    ...(together.length > 0 ? [['only together', deltasText(together)]] : []),
  ];
}

function attributionNotes({ withoutEffect, refusal }: EffectAttribution): readonly string[] {
  return [
    ...(refusal === undefined ? [] : [`Which edit did it is not told. ${refusal}`]),
    ...(withoutEffect.length > 0 ? [`Without effect: ${withoutEffect.map(({ title }) => title).join(', ')}`] : []),
  ];
}

export function partTitle({ edits }: EffectPart): string {
  return edits.map(({ kind, title }) => (kind === 'new' || kind === 'gone' ? `${title} (${kind})` : title)).join(', ');
}

export function partText({ deltas, schema }: EffectPart): string {
  const properties = schema.length === 0 ? [] : [`properties: ${schema.length} changed`];
  const text = [deltasText(deltas), ...properties].filter((each) => each !== '').join('; ');
  return text === '' ? 'numbers of rules or measures' : text;
}

/** The sum of each number, such as `events: 91 gone, 3 moved; relations: 84 gone`. */
function deltasText(deltas: readonly EffectDelta[]): string {
  const texts = changeParts.flatMap((part) => {
    const sums = new Map<string, number>();
    for (const { kind, count } of deltas.filter((delta) => delta.part === part))
      sums.set(kind, (sums.get(kind) ?? 0) + count);
    const counts = [...sums].map(([kind, count]) => `${thousands(count)} ${kind}`);
    return counts.length === 0 ? [] : [`${part}: ${counts.join(', ')}`];
  });
  return texts.join('; ');
}

function outcomeText({ state, changes, schema = [], brokenBase }: GraphEffect): readonly string[] {
  if (state === 'new') return ['The base does not have this graph: everything in it is new.'];
  if (state === 'same text') return ['The texts are the same.'];
  if (brokenBase) return [brokenBase.failure.message, totalsText(brokenBase.totals)];
  return changes?.changed === true || schema.length > 0 ? [] : ['No effect: both texts give the same graph.'];
}

function totalsText({ entities, events, correlations, relations }: GraphTotals): string {
  const numbers = Object.entries({ entities, events, correlations, relations });
  return `The graph has now ${numbers.map(([name, count]) => `${thousands(count)} ${name}`).join(', ')}.`;
}

function baseName({ kind, name, path, commit = '' }: EffectBase): string {
  if (kind === 'last') return 'the text of the last import';
  return kind === 'file' ? shownPath(path) : `${shownPath(path)} of ${name} (${commit.slice(0, 10)})`;
}

/** Whether a condition fails the command: it is met, or cannot be evaluated. */
export function isFailed({ isMet, error }: EffectCondition): boolean {
  return isMet || error !== undefined;
}

export function conditionText({ condition, value, isMet, error }: EffectCondition): string {
  if (error !== undefined) return `not evaluated: ${condition}. ${error}`;
  const is = value === null ? 'a percentage of nothing' : `is ${valueOf(condition, value)}`;
  return `${isMet ? 'failed' : 'passed'}: ${condition} (${is})`;
}

/** In the unit in which the condition is written. */
function valueOf(condition: string, value: number): string {
  if (condition.endsWith('%')) return `${Number(value.toFixed(2))} %`;
  return /[a-z]$/.test(condition) ? durationText(value) : String(Number(value.toFixed(2)));
}

/** @param rightFrom the first column of numbers */
function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightFrom: number,
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header.map(escapeForComment)),
    line(header.map((_, column) => (column >= rightFrom ? '--:' : '---'))),
    ...rows.map((row) => line(row.map(escapeForComment))),
  ];
}
