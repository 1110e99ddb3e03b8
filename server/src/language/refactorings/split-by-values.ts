import { type Catalog, type Column, type DataObject, type KnownValue, findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { elementIds } from '../../model/edits/entry-ids.ts';
import { editText } from '../../model/edits/edit-text.ts';
import { type ElementPart, splitElement } from '../../model/edits/element-intents.ts';
import { type EntityElement, masterDataName } from '../../model/entity-graph.ts';
import { identifierKey, mentionedNames } from '../../query/sql-names.ts';
import type { GraphContext } from '../graph-context.ts';
import { alsoWhere } from '../also-where.ts';
import { sqlIdentifier } from '../sql/nearest-identifier.ts';
import { valueLiteral } from '../sql/value-literal.ts';
import { elementAt } from './properties.ts';
import type { OfferedChange, Refactoring } from './refactoring.ts';

/** Limit, so that other actions stay visible. */
const maxOffers = 5;

/** Maximum number of elements of a readable model. */
const maxParts = 20;

/** Replaces an element by one per offered value of a column. Rows with other values, or none, are in no element. */
export const splitByValues: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const element = elementAt(context, offset);
    const catalog = context.catalog && catalogOf(context.catalog, element);
    const name = element?.activityName?.value;
    const object = element?.dataObject && catalog && findDataObject(catalog, element.dataObject.value);
    if (!element || name === undefined || !catalog || !object) return [];
    // An existing filter on the column may already select a value.
    const filtered = mentionedNames(element.where?.value ?? '', catalog.dialect);
    return byInterest(element, object, offset)
      .filter((column) => !filtered.has(identifierKey(column.name, catalog.dialect)))
      .flatMap((column): readonly OfferedChange[] => {
        const values = valuesOf(column);
        if (values.length < 2 || values.length > maxParts) return [];
        const title = `Split into ${values.length} elements by the values of ${column.name}`;
        return [
          { title, edits: () => splitEdits(context, element, partsOf(context, element, object, column, catalog)) },
        ];
      })
      .slice(0, maxOffers);
  },
};

/** Candidate columns: at the cursor, used by the element, then all others. */
function byInterest(element: EntityElement, { columns }: DataObject, offset: number): readonly Column[] {
  const { activityColumn, properties } = element;
  const used = [...(activityColumn ? [activityColumn] : []), ...(properties.kind === 'list' ? properties.columns : [])];
  const here = used.find(({ range }) => range.start <= offset && offset <= range.end)?.value;
  const names = new Set(used.map(({ value }) => value));
  const rank = ({ name }: Column): number => (name === here ? 0 : names.has(name) ? 1 : 2);
  return columns.toSorted((one, other) => rank(one) - rank(other));
}

function valuesOf({ sense, values }: Column): readonly KnownValue[] {
  if (values && values.length > 0) return values;
  return sense === 'boolean' ? [{ value: 'true' }, { value: 'false' }] : [];
}

function partsOf(
  { parsed: { graph } }: GraphContext,
  { activityName, where, index }: EntityElement,
  object: DataObject,
  column: Column,
  catalog: Catalog,
): readonly ElementPart[] {
  const alias = sqlIdentifier(object.path.at(-1) ?? object.name, catalog);
  const sqlName = `${alias}.${sqlIdentifier(column.name, catalog)}`;
  const taken = new Set([
    ...graph.elements.flatMap((each) => (each.index === index ? [] : (each.activityName?.value ?? []))),
    ...graph.entities.flatMap((entry) => masterDataName(entry) ?? []),
  ]);
  return valuesOf(column).map(({ value, label }) => {
    const said = column.sense === 'boolean' ? `${column.name} = ${value}` : (label ?? value);
    const condition = `${sqlName} = ${valueLiteral(column, value, catalog.dialect)}`;
    return {
      activityName: freeName(`${activityName?.value ?? ''} (${said})`, value, taken),
      where: where ? alsoWhere(where.value, condition) : condition,
    };
  });
}

/** Values with the same label are distinguished by the value. */
function freeName(name: string, value: string, taken: Set<string>): string {
  const candidates = [name, name.replace(/\)$/, `, ${value})`)];
  for (let number = 2; ; number += 1) {
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) {
      taken.add(free);
      return free;
    }
    candidates.push(`${name} ${number}`);
  }
}

function splitEdits(
  { parsed }: GraphContext,
  element: EntityElement,
  parts: readonly ElementPart[],
): ReturnType<OfferedChange['edits']> {
  const id = elementIds(parsed.graph.elements.map(({ activityName }) => activityName?.value))[element.index] ?? '';
  return editText(parsed.yaml, (value) => {
    const split = splitElement(value, id, parts);
    return 'refusal' in split ? split : split.graph;
  });
}
