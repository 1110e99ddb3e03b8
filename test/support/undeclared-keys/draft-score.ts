import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityGraph } from '../../../server/src/model/entity-graph.ts';
import { projectFolder } from '../vscode-host.ts';

type Pairs = readonly (readonly [from: string, to: string])[];

interface ExpectedElement {
  readonly object: string;
  readonly keys?: readonly (readonly string[])[];
  readonly times?: readonly (readonly string[])[];
}

interface ExpectedRelationship {
  readonly from: string;
  readonly to: string;
  readonly columns: Pairs;
  readonly cross?: string;
}

/** The expert's answer for tables without declared keys; see test/data/undeclared-keys.json. */
export interface ExpertAnswer {
  readonly heldOut?: true;
  readonly elements: readonly ExpectedElement[];
  readonly relationships: readonly ExpectedRelationship[];
  readonly eitherWay: {
    readonly elements: readonly ExpectedElement[];
    readonly relationships: readonly (readonly string[])[];
  };
}

export async function readExpertAnswers(): Promise<Readonly<Record<string, ExpertAnswer>>> {
  const text = await readFile(join(projectFolder, 'test/data/undeclared-keys.json'), 'utf8');
  const { comment, ...answers } = JSON.parse(text) as Readonly<Record<string, ExpertAnswer>>;
  return answers;
}

/** How well a draft agrees with the expert: what is in both, only in the draft, only in the answer. */
export interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly wrong: readonly string[];
  readonly missing: readonly string[];
}

export interface DraftScore {
  readonly elements: Agreement;
  readonly relationships: Agreement;
}

interface FoundElement {
  readonly object: string;
  readonly key: readonly string[];
  readonly time: readonly string[];
}

export function scoreDraft(graph: EntityGraph, answer: ExpertAnswer): DraftScore {
  const elements = elementsOf(graph);
  const relationships = relationshipsOf(graph);
  return {
    elements: agreement(
      elements,
      answer.elements,
      matchesElement,
      (found) => answer.eitherWay.elements.some((each) => matchesElement(found, each)),
      ({ object, key, time }) => `${object} (${key.join(', ')}) at ${time.join(' + ') || 'no time'}`,
      ({ object }) => object,
    ),
    relationships: agreement(
      relationships,
      answer.relationships,
      matchesRelationship,
      (found) => answer.eitherWay.relationships.some((each) => isEitherWay(found, each)),
      relationshipText,
      relationshipText,
    ),
  };
}

function agreement<Found, Expected>(
  found: readonly Found[],
  expected: readonly Expected[],
  matches: (found: Found, expected: Expected) => boolean,
  isNeutral: (found: Found) => boolean,
  textOfFound: (found: Found) => string,
  textOfExpected: (expected: Expected) => string,
): Agreement {
  const met = expected.filter((each) => found.some((one) => matches(one, each)));
  const right = found.filter((one) => expected.some((each) => matches(one, each)));
  const wrong = found.filter((one) => !right.includes(one) && !isNeutral(one));
  const counted = right.length + wrong.length;
  const precision = counted === 0 ? 0 : right.length / counted;
  const recall = expected.length === 0 ? 1 : met.length / expected.length;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    wrong: wrong.map(textOfFound),
    missing: expected.filter((each) => !met.includes(each)).map(textOfExpected),
  };
}

function elementsOf({ elements, entities }: EntityGraph): readonly FoundElement[] {
  const keyOf = (key: readonly { readonly value: string }[] = []): readonly string[] => key.map(({ value }) => value);
  return [
    ...elements.map(({ dataObject, key, startTimestamp, startExpression }) => ({
      object: dataObject?.value ?? '',
      key: keyOf(key),
      time: startTimestamp ? [startTimestamp.value] : columnsOf(startExpression?.value ?? '', dataObject?.value ?? ''),
    })),
    ...entities.map(({ dataObject, key }) => ({ object: dataObject?.value ?? '', key: keyOf(key), time: [] })),
  ];
}

/** The columns that an expression names, without repetitions. */
function columnsOf(expression: string, object: string): readonly string[] {
  const names = [...expression.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== object);
}

/** Relationships, and correlations of rows with the entities of another table, which say the same. */
function relationshipsOf(graph: EntityGraph): readonly ExpectedRelationship[] {
  const objects = new Map<string | undefined, string>();
  const tables = new Map<string, readonly string[]>();
  for (const { name, entityType, dataObject, key = [] } of graph.entities) {
    objects.set((name ?? entityType)?.value, dataObject?.value ?? '');
    tables.set(
      entityType?.value ?? '',
      key.map(({ value }) => value),
    );
  }
  for (const { activityName, dataObject, entityType, key = [] } of graph.elements) {
    objects.set(activityName?.value, dataObject?.value ?? '');
    if (entityType === undefined)
      tables.set(
        dataObject?.value ?? '',
        key.map(({ value }) => value),
      );
  }
  const toTable = (from: string, to: string | undefined, columns: readonly string[]): ExpectedRelationship[] => {
    const key = to === undefined || to === from ? undefined : tables.get(to);
    if (to === undefined || key?.length !== columns.length) return [];
    return [{ from, to, columns: columns.map((column, at) => [column, key[at] ?? ''] as const) }];
  };
  return [
    ...graph.relationships.map(({ source, target, mappings, crossTable }): ExpectedRelationship => {
      const [from, to] = [objects.get(source?.value) ?? '', objects.get(target?.value) ?? ''];
      if (!crossTable) {
        const columns = mappings.flatMap((each) =>
          each.kind === 'columns' ? [[each.source.value, each.target.value] as const] : [],
        );
        return { from, to, columns };
      }
      const pairs = [...crossTable.sourceMappings, ...crossTable.targetMappings];
      const columns = pairs.map(({ cross, column }) => [cross.value, column.value] as const);
      return { from, to, columns, cross: crossTable.dataObject?.value ?? '' };
    }),
    ...graph.elements.flatMap(({ dataObject, entityType, key = [], correlatesWith = [] }) => [
      ...toTable(
        dataObject?.value ?? '',
        entityType?.value,
        key.map(({ value }) => value),
      ),
      ...correlatesWith.flatMap((each) =>
        toTable(
          dataObject?.value ?? '',
          each.entityType?.value,
          each.key.map(({ value }) => value),
        ),
      ),
    ]),
  ];
}

function matchesElement(
  { object, key, time }: FoundElement,
  { object: expected, keys, times }: ExpectedElement,
): boolean {
  const isOne = (found: readonly string[], choices: readonly (readonly string[])[] | undefined): boolean =>
    choices === undefined || choices.some((choice) => sorted(choice) === sorted(found));
  return object === expected && isOne(key, keys) && isOne(time, times);
}

function matchesRelationship(found: ExpectedRelationship, expected: ExpectedRelationship): boolean {
  if (found.cross !== expected.cross || sorted(found.columns.map(String)) !== sorted(expected.columns.map(String)))
    return false;
  const isSame = found.from === expected.from && found.to === expected.to;
  return isSame || (expected.cross !== undefined && found.from === expected.to && found.to === expected.from);
}

function isEitherWay(
  { from, to, columns, cross }: ExpectedRelationship,
  [one = '', other = '', column]: readonly string[],
): boolean {
  const ends = [from, to];
  const isBetween = other === '*' ? ends.includes(one) || cross === one : sorted(ends) === sorted([one, other]);
  return isBetween && (column === undefined || columns.every(([source]) => source === column));
}

function relationshipText({ from, to, columns, cross }: ExpectedRelationship): string {
  const pairs = columns.map(([source, target]) => `${source} = ${target}`).join(', ');
  return `${from} → ${to}${cross === undefined ? '' : ` by ${cross}`} (${pairs})`;
}

function sorted(texts: readonly string[]): string {
  return texts.toSorted().join('\n');
}
