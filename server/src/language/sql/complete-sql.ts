import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import type { EntityElement, EntityGraph } from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { joinedObjects } from '../../query/joined-objects.ts';
import { columnDetail, columnMarkdown, objectDetail, objectMarkdown } from '../catalog-text.ts';
import type { CompletionProposal } from '../complete.ts';
import { completeValues } from './complete-values.ts';
import { scalarAt, toStepPath } from '../cursor/scalar-place.ts';
import { sqlIdentifier } from './nearest-identifier.ts';

/** The properties whose values are SQL. */
const sqlProperties = new Set(['where', 'joins', 'expression']);

/**
 * What may be written at an offset inside custom SQL: columns and aliases in scope, tables behind FROM and JOIN, words of
 * SQL. Undefined when the offset is not in SQL.
 */
export function completeSql(
  { yaml, graph }: ParsedEntityGraph,
  catalog: Catalog | undefined,
  offset: number,
): readonly CompletionProposal[] | undefined {
  const { contents } = yaml.document;
  const place = scalarAt(contents, offset) ?? scalarAt(contents, behindBlanks(yaml.text, offset));
  if (place?.role !== 'value') return undefined;
  const { path, indexes } = toStepPath(place.path);
  const property = path.at(-1) ?? '';
  if (!sqlProperties.has(property)) return undefined;
  const typed = typedBefore(yaml.text, offset);
  if (!catalog) return words(typed, []);
  const [index = 0] = indexes;
  const tables = property === 'expression' ? endsOf(graph, index, catalog) : scopeOf(graph.elements[index], catalog);
  const values = completeValues(tables, yaml.text, offset, place.scalar.type === 'QUOTE_SINGLE', catalog.dialect);
  if (values) return values;
  if (typed.qualifier !== undefined) return columnsOf(tables, typed, catalog);
  if (/\b(from|join)\s+$/i.test(typed.before)) return objects(catalog, typed);
  return [...columnsOf(tables, typed, catalog), ...aliases(tables, typed), ...words(typed, keywordsOf(property))];
}

/** A table that SQL can read columns of, under its alias. */
export interface ScopedTable {
  readonly alias: string;
  readonly object: DataObject;
}

interface Typed {
  /** The SQL before the word, on its line. */
  readonly before: string;
  /** The alias before the dot. */
  readonly qualifier?: string;
  readonly start: number;
  readonly end: number;
}

/** A plain scalar ends before the blanks at the end of its line, behind which its SQL goes on. */
function behindBlanks(text: string, offset: number): number {
  const isEnd = /^[ \t]*(?:\r?\n|$)/.test(text.slice(offset));
  return isEnd ? offset - (/[ \t]*$/.exec(text.slice(0, offset))?.[0].length ?? 0) : offset;
}

function typedBefore(text: string, offset: number): Typed {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart, offset);
  const word = /[\w$]*$/.exec(line)?.[0] ?? '';
  const rest = /^[\w$]*/.exec(text.slice(offset))?.[0] ?? '';
  const before = line.slice(0, line.length - word.length);
  const qualifier = /([\w$]+|"[^"]+")\.$/.exec(before)?.[1];
  return {
    before,
    start: offset - word.length,
    end: offset + rest.length,
    ...(qualifier === undefined ? {} : { qualifier: qualifier.replaceAll('"', '') }),
  };
}

function scopeOf(element: EntityElement | undefined, catalog: Catalog): readonly ScopedTable[] {
  const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
  const own = object ? [{ alias: object.path.at(-1) ?? object.name, object }] : [];
  return [...own, ...joinedObjects(element?.joins?.value ?? '', catalog)];
}

/** In an expression each side has the columns of its element, `cross` those of the bridge. */
function endsOf({ elements, relationships }: EntityGraph, index: number, catalog: Catalog): readonly ScopedTable[] {
  const relationship = relationships[index];
  const side = (alias: 'source' | 'target'): readonly ScopedTable[] => {
    const name = relationship?.[alias]?.value;
    const element = elements.find(({ activityName }) => name !== undefined && activityName?.value === name);
    const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
    return object ? [{ alias, object }] : [];
  };
  const bridge = relationship?.crossTable?.dataObject?.value;
  const cross = bridge === undefined ? undefined : findDataObject(catalog, bridge);
  return [...side('source'), ...side('target'), ...(cross ? [{ alias: 'cross', object: cross }] : [])];
}

function columnsOf(tables: readonly ScopedTable[], typed: Typed, catalog: Catalog): readonly CompletionProposal[] {
  const { qualifier } = typed;
  const wanted = tables.filter(
    ({ alias }) => qualifier === undefined || alias.toLowerCase() === qualifier.toLowerCase(),
  );
  return wanted.flatMap(({ alias, object }) =>
    object.columns.map((column): CompletionProposal => {
      const name = sqlIdentifier(column.name, catalog);
      // With several tables in scope a bare name may be ambiguous.
      const text = qualifier === undefined && tables.length > 1 ? `${sqlIdentifier(alias, catalog)}.${name}` : name;
      return {
        label: text,
        kind: 'column',
        detail: columnDetail(column),
        documentation: columnMarkdown(column),
        ...inserted(text, typed, '1'),
      };
    }),
  );
}

function aliases(tables: readonly ScopedTable[], typed: Typed): readonly CompletionProposal[] {
  if (tables.length < 2) return [];
  return tables.map(({ alias, object }) => ({
    label: alias,
    kind: 'dataObject',
    detail: objectDetail(object),
    ...inserted(alias, typed, '2'),
  }));
}

function objects(catalog: Catalog, typed: Typed): readonly CompletionProposal[] {
  return catalog.objects.map((object) => ({
    label: object.name,
    kind: 'dataObject',
    detail: objectDetail(object),
    documentation: objectMarkdown(object),
    ...inserted(
      object.name
        .split('.')
        .map((part) => sqlIdentifier(part, catalog))
        .join('.'),
      typed,
      '1',
    ),
  }));
}

function words(typed: Typed, list: readonly string[]): readonly CompletionProposal[] {
  return list.map((word) => ({ label: word, kind: 'value', ...inserted(word, typed, '3') }));
}

const conditions = ['AND', 'OR', 'NOT', 'IS NULL', 'IS NOT NULL', 'IN', 'BETWEEN', 'LIKE', 'EXISTS', 'CASE WHEN'];
const functions = ['coalesce', 'lower', 'upper', 'trim', 'substring', 'now', 'date_trunc', 'extract', 'cast', 'count'];
const joinWords = ['JOIN', 'LEFT JOIN', 'INNER JOIN', 'CROSS JOIN', 'ON', 'USING', 'AS', 'AND'];

function keywordsOf(property: string): readonly string[] {
  return property === 'joins' ? joinWords : [...conditions, ...functions];
}

function inserted(text: string, { start, end }: Typed, group: string) {
  return { insertText: text, filterText: text, replace: { start, end }, sortText: `${group}${text}` };
}
