import { endsText } from '../../../protocol/relationship-name.ts';
import {
  type EntityElement,
  type MasterData,
  type Relationship,
  masterDataName,
  relationshipName,
} from '../model/entity-graph.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { ParsedDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { Measure } from '../model/measure.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { SourceRange } from '../model/source-range.ts';

/** An outline entry of a file. */
export interface OutlineSymbol {
  readonly name: string;
  readonly detail?: string | undefined;
  readonly kind: 'group' | 'element' | 'relationship' | 'rule' | 'dataSource' | 'test';
  readonly range: SourceRange;
  /** Range selected by the entry; inside `range`. */
  readonly selectionRange: SourceRange;
  readonly children: readonly OutlineSymbol[];
}

/** Elements, entries of `entities`, relationships, rules and measures of an entity graph. */
export function outlineEntityGraph({ graph }: ParsedEntityGraph): readonly OutlineSymbol[] {
  return [
    ...group('Elements', graph.elements.map(elementEntry)),
    ...group('Entities', graph.entities.map(masterDataEntry)),
    ...group('Relationships', graph.relationships.map(relationshipEntry)),
    ...group(
      'Rules',
      graph.rules.map((rule) => ruleEntry(rule, 'Rule')),
    ),
    ...group(
      'Measures',
      graph.measures.map((measure) => ruleEntry(measure, 'Measure')),
    ),
  ];
}

function ruleEntry({ name, each, range, index }: ProcessRule | Measure, kind: string): OutlineSymbol {
  const judged = each?.entityType ?? each?.activity;
  return {
    name: name?.value ?? `${kind} ${index + 1}`,
    detail: judged?.value,
    kind: 'rule',
    range,
    selectionRange: within(name?.range, range),
    children: [],
  };
}

/** The data sources of a sources file. */
export function outlineDataSources({ sources }: ParsedDataSources): readonly OutlineSymbol[] {
  return sources.sources.map(dataSourceEntry);
}

function group(name: string, children: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  const [first] = children;
  const last = children.at(-1);
  if (!first || !last) return [];
  const range = { start: first.range.start, end: last.range.end };
  return [{ name, kind: 'group', range, selectionRange: first.selectionRange, children }];
}

/** The entry of one element. */
export function elementEntry({ activityName, dataObject, range, index }: EntityElement): OutlineSymbol {
  return {
    name: activityName?.value ?? `Element ${index + 1}`,
    detail: dataObject?.value,
    kind: 'element',
    range,
    selectionRange: within(activityName?.range, range),
    children: [],
  };
}

export function masterDataEntry(entry: MasterData): OutlineSymbol {
  const { name, entityType, dataObject, range, index } = entry;
  const title = masterDataName(entry) ?? `Entities ${index + 1}`;
  return {
    name: title,
    detail: dataObject && dataObject.value !== title ? dataObject.value : undefined,
    kind: 'element',
    range,
    selectionRange: within((name ?? entityType ?? dataObject)?.range, range),
    children: [],
  };
}

function relationshipEntry(relationship: Relationship): OutlineSymbol {
  const { name, source, target, range } = relationship;
  return {
    name: relationshipName(relationship),
    detail: name && source && target ? endsText(source.value, target.value) : undefined,
    kind: 'relationship',
    range,
    selectionRange: within(name?.range ?? source?.range, range),
    children: [],
  };
}

function dataSourceEntry({ name, kind, range }: DataSource): OutlineSymbol {
  return {
    name: name.value,
    detail: kind?.value,
    kind: 'dataSource',
    range,
    selectionRange: name.range,
    children: [],
  };
}

/** Aliased values are elsewhere: the whole entry is selected then. */
function within(inner: SourceRange | undefined, outer: SourceRange): SourceRange {
  return inner && inner.start >= outer.start && inner.end <= outer.end ? inner : outer;
}
