import { because, reasonText, strongest } from './draft-reason.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { DraftAnswer, DraftChoice, DraftColumn, DraftRole, OmittedObject } from './draft-choice.ts';
import type { DraftElement, DraftModel } from './draft-model.ts';
import { draftText } from './draft-text.ts';
import { modelOfTables } from './model-of-tables.ts';
import type { Reference } from './reference.ts';
import { findReferences } from './references.ts';
import { type TableReading, withoutTimes } from './read-table.ts';
import { readTables } from './read-tables.ts';
import type { SourceCounts } from './source-counts.ts';
import { linkOf, selectObjects } from './select-objects.ts';
import type { ColumnProfile, ReadableTimes } from './column-profile.ts';
import type { Scored } from './scored.ts';
import type { TableInput, TablePlace } from './table-sample.ts';

/** A first graph, with reasons and alternatives. */
export interface Draft {
  readonly text: string;
  readonly model: DraftModel;
  readonly chosen: readonly DraftColumn[];
  readonly choices: readonly DraftChoice[];
  readonly leftOut: readonly OmittedObject[];
}

export interface DraftRequest {
  /** Name of the graph. */
  readonly name: string;
  readonly catalog: Pick<Catalog, 'dataSource' | 'dialect'>;
  readonly inputs: readonly TableInput[];
  /** A person named the data objects: each becomes part of the graph where that is possible. */
  readonly areNamed: boolean;
  /** Elements that the kind of the source knows better. */
  readonly special: ReadonlyMap<string, DraftElement>;
  readonly answers: readonly DraftAnswer[];
  /** What the source counted, where samples cannot decide. */
  readonly counts?: SourceCounts | undefined;
}

/** A first graph of these data objects: events of logs and of things with times, the things that take part, and how they are related. */
export function draftGraph({ name, catalog, inputs, areNamed, special, answers, counts }: DraftRequest): Draft {
  const timesOf = ({ place }: TableInput): ReadableTimes => dialectNamed(place?.dialect ?? catalog.dialect).times;
  const filled = inputs.filter((input) => areNamed || !isEmpty(input));
  const readings = withSomeTimes(readTables(filled, answers, timesOf, counts), special);
  const references = findReferences(readings, counts?.shares);
  const objects = areNamed
    ? new Set(readings.filter((reading) => !linkOf(reading, references)).map(({ input }) => input.object.name))
    : selectObjects(readings, references);
  const withEvents = ({ log, times, input }: TableReading): boolean =>
    (log ?? times) !== undefined || special.has(input.object.name);
  const things = new Set(
    [...objects].filter(
      (each) => !readings.some((reading) => reading.input.object.name === each && withEvents(reading)),
    ),
  );
  const model = modelOfTables(readings, references, things, special);
  const used = new Set([
    ...model.elements.map(({ dataObject }) => dataObject),
    ...model.entities.map(({ dataObject }) => dataObject),
    ...model.relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []),
  ]);
  const parts = readings.filter(({ input }) => used.has(input.object.name) && !special.has(input.object.name));
  return {
    text: draftText({ name, ...catalog, places: placesOf(inputs) }, model),
    model,
    chosen: [
      ...parts.flatMap((part) => chosenColumns(part, references)),
      ...references.filter(({ from, to }) => used.has(from) && used.has(to)).map(chosenReference),
    ],
    choices: parts.flatMap(choicesOf),
    leftOut: inputs
      .filter(({ object }) => !used.has(object.name))
      .map((input) => ({ dataObject: input.object.name, reason: omissionReason(input, readings, references) })),
  };
}

/** A first graph of a source that contains its graph, without guesses; for given data objects, their part of it. */
export function proposedDraft(
  { name, catalog, inputs }: Pick<DraftRequest, 'name' | 'catalog' | 'inputs'>,
  whole: DraftModel,
): Draft {
  const named = new Set(inputs.map(({ object }) => object.name));
  const elements = whole.elements.filter(({ dataObject }) => named.has(dataObject));
  const entities = whole.entities.filter(({ dataObject }) => named.has(dataObject));
  const ends = new Set([...elements.map(({ activityName }) => activityName), ...entities.map((each) => each.name)]);
  const relationships = whole.relationships.filter(({ source, target }) => ends.has(source) && ends.has(target));
  const model = { elements, entities, relationships };
  return {
    text: draftText({ name, ...catalog }, model),
    model,
    chosen: [],
    choices: [],
    leftOut: [],
  };
}

function placesOf(inputs: readonly TableInput[]): ReadonlyMap<string, TablePlace> {
  return new Map(inputs.flatMap(({ object, place }) => (place ? [[object.name, place] as const] : [])));
}

function isEmpty({ sample }: TableInput): boolean {
  return sample !== undefined && sample.isWhole && sample.rows.length === 0;
}

/** If no table has times of events, falls back to the times of last changes. */
function withSomeTimes(
  readings: readonly TableReading[],
  special: ReadonlyMap<string, DraftElement>,
): readonly TableReading[] {
  if (special.size > 0 || readings.some(({ log, times, key }) => log ?? (times && key))) return readings;
  return readings.map((reading) =>
    reading.key && reading.lastTimes ? { ...reading, times: reading.lastTimes } : reading,
  );
}

function omissionReason(
  input: TableInput,
  readings: readonly TableReading[],
  references: readonly Reference[],
): string {
  const reading = readings.find((each) => each.input === input);
  if (!reading) return 'it has no rows';
  if (!reading.log && !reading.times) {
    if (linkOf(reading, references)) return 'it only links tables that are not part of the graph';
    const { why, isForLack } = withoutTimes(reading);
    // Columns of an undeclared key may differ by accident: a log without times has such, too.
    const isThing = reading.key && (reading.key.isDeclared || reading.key.columns.length === 1);
    if (isThing) return `${why}, and no events refer to it`;
    return isForLack ? `${why}: a log needs a column that says when each row happened` : why;
  }
  return unidentifiedReason;
}

const unidentifiedReason =
  'nothing identifies its rows: they have no primary key, and no column is different in each of them';

function chosenColumns(
  { input, key, log, times, objects = [] }: TableReading,
  references: readonly Reference[],
): readonly DraftColumn[] {
  const dataObject = input.object.name;
  const referring = new Set(references.filter(({ from }) => from === dataObject).flatMap(({ columns }) => columns));
  const column = (role: DraftRole, choice: Scored<ColumnProfile> | undefined): readonly DraftColumn[] =>
    choice ? [{ dataObject, role, columns: [choice.value.name], ...reasonsOf(choice) }] : [];
  if (log) {
    return [
      ...column('case', log.case),
      ...column('activity', log.activity),
      ...column('time', log.time),
      ...column('end', log.end),
      ...(log.lifecycle
        ? [{ dataObject, role: 'lifecycle' as const, columns: [log.lifecycle.column], ...reasonsOf(lifecycleReasons) }]
        : []),
      ...column('sequence', log.sequence),
      ...log.objects.flatMap((object) => column('object', object)),
    ];
  }
  return [
    ...(key ? [{ dataObject, role: 'key' as const, columns: key.columns, ...reasonsOf(key) }] : []),
    ...column('time', times?.start),
    ...(times?.milestones ?? []).flatMap((milestone) => column('time', milestone)),
    ...column('change', times?.change),
    ...objects.filter(({ value }) => !referring.has(value.name)).flatMap((object) => column('object', object)),
  ];
}

const lifecycleReasons = { reasons: [because('says which rows are starts and ends')] };

function chosenReference({ from, columns, reason }: Reference): DraftColumn {
  return { dataObject: from, role: 'reference', columns, ...reasonsOf({ reasons: [reason] }) };
}

function choicesOf({ input, key, log, times }: TableReading): readonly DraftChoice[] {
  const dataObject = input.object.name;
  const choice = (
    role: DraftRole,
    taken: Scored<ColumnProfile>,
    others: readonly Scored<ColumnProfile>[],
  ): readonly DraftChoice[] =>
    others.length === 0
      ? []
      : [
          {
            dataObject,
            role,
            columns: [taken.value.name],
            ...reasonsOf(taken),
            others: others.map((other) => ({ columns: [other.value.name], ...reasonsOf(other) })),
          },
        ];
  if (log) {
    return [
      ...choice('case', log.case, log.others.case),
      ...choice('activity', log.activity, log.others.activity),
      ...choice('time', log.time, log.others.time),
    ];
  }
  const keys = key?.others ?? [];
  return [
    ...(key && keys.length > 0
      ? [
          {
            dataObject,
            role: 'key' as const,
            columns: key.columns,
            ...reasonsOf(key),
            others: keys.map((other) => ({ columns: other.value, ...reasonsOf(other) })),
          },
        ]
      : []),
    ...(times ? choice('time', times.start, times.others) : []),
  ];
}

/** The strongest reasons, in English and for translation. */
function reasonsOf({ reasons }: Pick<Scored<unknown>, 'reasons'>): Pick<DraftColumn, 'reason' | 'reasons'> {
  const shown = strongest(reasons);
  return { reason: reasonText(shown), reasons: shown };
}
