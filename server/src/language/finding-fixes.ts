import type { ElementPatch } from '../../../protocol/canvas-intents.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import type { Finding, FindingFix, FindingHint } from '../../../protocol/findings.ts';
import { type Column, findDataObject } from '../catalog/catalog.ts';
import { catalogOf } from '../catalog/graph-catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityElement, EntityGraph } from '../model/entity-graph.ts';
import { zoneOffsets } from '../model/zone-offsets.ts';
import { quotePath } from '../query/quote.ts';
import { alsoWhere } from './also-where.ts';
import { findInScope, scopeOf } from './column-scope.ts';
import type { GraphContext } from './graph-context.ts';
import { columnSql } from './stored-times.ts';

/** What is known where an edit is made. */
type FixKnowledge = Pick<GraphContext, 'sources' | 'catalog'> & { readonly graph: EntityGraph };

type HintOf<K extends FindingHint['kind']> = Extract<FindingHint, { readonly kind: K }>;

/** The element of a finding, with the column that the finding is about. */
interface FixedPlace extends FixKnowledge {
  readonly element: EntityElement;
  readonly name: string;
  readonly column: string | null;
}

/** Edits that mend a finding, the most likely first. Those with SQL, or that depend on a type, need the catalog. */
export function findingFixes(finding: Finding, known: FixKnowledge): readonly FindingFix[] {
  // Titles have texts of the data, which may have line breaks.
  return fixesOf(finding, known).map((fix) => ({ ...fix, title: fix.title.replaceAll(/\s+/gu, ' ').trim() }));
}

function fixesOf({ hint, element: name, column }: Finding, known: FixKnowledge): readonly FindingFix[] {
  if (!hint) return [];
  if (hint.kind === 'names') return namesFixes(hint, known.graph);
  if (hint.kind === 'sequence') return sequenceFixes(hint, known.graph);
  if (hint.kind === 'key') return keyFixes(hint);
  if (hint.kind === 'leaveOut') return leaveOutFixes(hint, known);
  const element = name === null ? undefined : elementNamed(known.graph, name);
  if (!element || name === null) return [];
  const place = { ...known, element, name, column };
  switch (hint.kind) {
    case 'shift':
      return shiftFixes(hint, place);
    case 'endOfDay':
      return endOfDayFixes(hint, place);
    case 'before':
      return senseOf(place)
        ? whereFixes(`Leave out the rows from ${hint.date} on`, place, (sql, quote) => `${sql} < ${quote(hint.date)}`)
        : [];
    case 'keepOne':
      return keepOneFixes(hint, place);
    case 'unique':
      return uniqueFixes(place);
  }
}

/** Elements that have a sequence keep it: their rows are compared by that column of the others. */
function sequenceFixes({ elements, columns }: HintOf<'sequence'>, graph: EntityGraph): readonly FindingFix[] {
  const written = elements.map((name) => [name, elementNamed(graph, name)?.sequence?.value] as const);
  const used = new Set(written.flatMap(([, sequence]) => sequence ?? []));
  const open = written.filter(([, sequence]) => sequence === undefined);
  const possible = columns.filter((column) => used.size === 0 || (used.size === 1 && used.has(column)));
  if (open.length === 0) return [];
  return possible.map((sequence) => ({
    title: `Write sequence: ${sequence}`,
    elements: open.map(([element]) => ({ element, values: { sequence } })),
  }));
}

function keyFixes({ elements, columns }: HintOf<'key'>): readonly FindingFix[] {
  return columns.map((column) => ({
    title: `Write key: ${column}`,
    elements: elements.map((element) => ({ element, values: { key: [column] } })),
  }));
}

/** Of all elements with the key, or of none: the entity would stay. */
function leaveOutFixes({ value, places }: HintOf<'leaveOut'>, known: FixKnowledge): readonly FindingFix[] {
  const title = `Leave out the rows of "${value}"`;
  const fixes = places.flatMap(({ element: name, column }) => {
    const element = elementNamed(known.graph, name);
    return element
      ? whereFixes(title, { ...known, element, name, column }, (sql, quote) => `${sql} <> ${quote(value)}`)
      : [];
  });
  if (fixes.length === 0 || fixes.length < places.length) return [];
  return [{ title, elements: fixes.flatMap(({ elements }) => elements) }];
}

function elementNamed({ elements }: EntityGraph, name: string): EntityElement | undefined {
  return elements.find(({ activityName }) => activityName?.value === name);
}

function namesFixes({ names }: HintOf<'names'>, graph: EntityGraph): readonly FindingFix[] {
  const [first] = names;
  if (!first) return [];
  const elements = [...new Set(names.map(({ element }) => element))];
  const valuesOf = (element: string): ElementPatch => {
    const own = names.filter((each) => each.element === element);
    const [renamed] = own.filter(({ text }) => text === undefined);
    if (renamed) return { activityName: renamed.name };
    const added = own.flatMap(({ text, name }) => (text === undefined ? [] : [{ text, name }]));
    const written = elementNamed(graph, element)?.activityNames?.renames;
    const texts = new Set(added.map(({ text }) => text));
    const before = (written ?? []).map(({ text, name }) => ({ text: text.value, name: name.value }));
    return { activityNames: [...before.filter(({ text }) => !texts.has(text)), ...added] };
  };
  const title = `Call ${names.map(({ text, element }) => `"${text ?? element}"`).join(', ')} "${first.name}"`;
  return [{ title, elements: elements.map((element) => ({ element, values: valuesOf(element) })) }];
}

/** Zones that people use, one or a few of each offset; that of this machine comes first. */
const usualZones = [
  ...['Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  ...['America/Sao_Paulo', 'Europe/Helsinki', 'Europe/Istanbul', 'Asia/Dubai', 'Asia/Karachi', 'Asia/Dhaka'],
  ...['Asia/Bangkok', 'Asia/Shanghai', 'Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland', 'UTC'],
];
const mostZones = 3;

/** Zones in which the times are as much earlier or later as they are off. */
function shiftFixes({ hours, times }: HintOf<'shift'>, { graph, sources, element, name }: FixedPlace) {
  const dataSource = dataSourceNamed(graph, element);
  const source = sources?.sources.find((each) => each.name.value === dataSource);
  const current = element.timeZone?.value ?? source?.timeZone;
  if (current === undefined) return [];
  const before = zoneOffsets(current);
  const instants = times.map((time) => Date.parse(time));
  const isRight = (zone: string): boolean => {
    const offset = zoneOffsets(zone);
    // A clock that is ahead of the current zone has times that are earlier.
    return instants.every((at) => before(at) - offset(at) === hours * 3_600_000);
  };
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([...(here === 'UTC' ? [] : [here]), ...usualZones])].filter(isRight).slice(0, mostZones);
  return zones.map((timeZone) => ({
    title: `Write timeZone: ${timeZone}`,
    elements: [{ element: name, values: { timeZone } }],
  }));
}

function endOfDayFixes({ field, areDates }: HintOf<'endOfDay'>, place: FixedPlace): readonly FindingFix[] {
  const { element, name, column, catalog } = place;
  const { expression, atEndOfDay } = elementFields[field];
  const own = catalog && catalogOf(catalog, element);
  const sense = senseOf(place);
  if (column === null || element[field] === undefined || !own || sense === undefined) return [];
  const fix = (values: ElementPatch): readonly FindingFix[] => [
    { title: 'Let these dates be the end of their day', elements: [{ element: name, values }] },
  ];
  if (sense === 'date') return fix({ [atEndOfDay]: true });
  const sql = columnSql(column, element, own);
  // Which day a time with a zone belongs to depends on the session.
  if (sql === undefined || isZoned(place)) return [];
  const date = `CAST(${sql} AS DATE)`;
  if (areDates) return fix({ [expression]: date, [atEndOfDay]: true });
  const end = dialectNamed(own.dialect).times.endOfDay(date);
  return fix({ [expression]: `CASE WHEN ${sql} = ${date} THEN ${end} ELSE ${sql} END` });
}

/** The sense of the column of a place, if it has times. */
function senseOf(place: FixedPlace): 'date' | 'timestamp' | undefined {
  const sense = columnOf(place)?.sense;
  return sense === 'date' || sense === 'timestamp' ? sense : undefined;
}

function isZoned(place: FixedPlace): boolean {
  return /with time zone|timestamptz/i.test(columnOf(place)?.type ?? '');
}

function columnOf({ element, column, catalog }: FixedPlace): Column | undefined {
  return catalog && column !== null ? findInScope(scopeOf(element, catalog), column) : undefined;
}

/** A condition on the column; rows without a value stay. */
function whereFixes(
  title: string,
  place: FixedPlace,
  condition: (sql: string, quote: (text: string) => string) => string,
): readonly FindingFix[] {
  const { element, name, column, catalog } = place;
  const own = catalog && catalogOf(catalog, element);
  const sql = own && column !== null ? columnSql(column, element, own) : undefined;
  if (!own || sql === undefined) return [];
  const added = `${sql} IS NULL OR ${condition(sql, dialectNamed(own.dialect).literals.quote)}`;
  const where = element.where === undefined ? added : alsoWhere(element.where.value, `(${added})`);
  return [{ title, elements: [{ element: name, values: { where } }] }];
}

/**
 * The row of several that agree which has the least value of a column that differs in all rows. None beside a condition,
 * which may leave out the row with the least value, so that none would stay.
 */
function keepOneFixes({ columns }: HintOf<'keepOne'>, place: FixedPlace): readonly FindingFix[] {
  const { element, name, catalog } = place;
  const own = catalog && catalogOf(catalog, element);
  const object = own && element.dataObject && findDataObject(own, element.dataObject.value);
  if (!object || element.joins !== undefined || element.where !== undefined) return [];
  const scope = scopeOf(element, catalog).columns;
  const number = scope.find(({ name: each, column: { primaryKey } }) => primaryKey && !columns.includes(each));
  const numbers = number ? [number] : scope.filter(({ name: each }) => !columns.includes(each) && isRowNumber(each));
  const dialect = dialectNamed(own.dialect);
  const { quote } = dialect.identifiers;
  const table = quote(object.path.at(-1) ?? object.name);
  return numbers.slice(0, 1).map(({ name: row }) => {
    const same = columns.map((each) => {
      const [one, other] = [`twin.${quote(each)}`, `${table}.${quote(each)}`];
      return `(${one} = ${other} OR (${one} IS NULL AND ${other} IS NULL))`;
    });
    const least = `(SELECT min(twin.${quote(row)}) FROM ${quotePath(object.path, dialect)} AS twin WHERE ${same.join(' AND ')})`;
    const where = `${table}.${quote(row)} = ${least}`;
    return {
      title: `Keep one row of each: the one with the least ${row}`,
      elements: [{ element: name, values: { where } }],
    };
  });
}

/** Whether a column probably numbers the rows. */
function isRowNumber(name: string): boolean {
  return /^(id|row|row_?id|row_?no|line|line_?no|log_?id|event_?id|seq|sequence|nr|no)$/i.test(name);
}

/** None beside other expectations, which it would replace. */
function uniqueFixes({ element, name, column }: FixedPlace): readonly FindingFix[] {
  if (column === null || element.expect !== undefined) return [];
  const expect = { unique: [[column]], notNull: [], values: [] };
  return [{ title: `Expect ${column} to be unique`, elements: [{ element: name, values: { expect } }] }];
}
