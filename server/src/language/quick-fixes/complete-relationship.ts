import { type YAMLMap, isMap } from 'yaml';
import type { CrossTableValues, JoinSuggestion } from '../../../../protocol/canvas-intents.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { Relationship } from '../../model/entity-graph.ts';
import { endNamed } from '../../model/relationship-ends.ts';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import type { NewKey } from '../../model/edits/key-edits.ts';
import { writtenCrossMapping, writtenMapping } from '../../model/edits/written-forms.ts';
import type { GraphContext } from '../graph-context.ts';
import { suggestJoinsOf } from '../completion/suggest-joins.ts';
import { fixWithKeys, fixWithValues } from './missing-keys.ts';
import { type QuickFix, fixOnCanvas } from './quick-fix.ts';

const maxFixes = 3;

/** Joins the ends of a draft by foreign keys, or adds its ends; the rest is edited on the canvas. */
export const joinDraft: QuickFix = {
  codes: ['relationship-draft'],
  fixes({ range }, context) {
    const relationship = context.parsed.graph.relationships.find(
      (each) => each.range.start <= range.start && range.end <= each.range.end,
    );
    const map = relationship && context.parsed.originOf(relationship);
    if (!relationship || !map) return [];
    if (!relationship.source || !relationship.target) {
      return fixWithKeys(context.parsed.yaml, map, [
        ['source', undefined],
        ['target', undefined],
      ]);
    }
    const fixes = joinsOf(relationship, context)
      .slice(0, maxFixes)
      .flatMap((join, index) =>
        fixWithValues(
          { title: titleOf(join), preferred: index === 0 && join.reason !== 'same name' },
          context.parsed.yaml,
          map,
          [join.crossTable ? ['crossTable', crossTable(join)] : mappings(join)],
        ),
      );
    return [...fixes, onCanvas];
  },
};

/** Completes a cross table by foreign keys. */
export const completeCrossTable: QuickFix = {
  codes: ['incomplete-cross-table'],
  fixes({ range }, context) {
    const relationship = context.parsed.graph.relationships.find(
      ({ crossTable: cross }) => cross?.range.start === range.start,
    );
    const map = relationship && crossMap(relationship, context);
    if (!relationship || !map) return [];
    const fixes = joinsOf(relationship, context)
      .filter((join) => join.crossTable && fits(join.crossTable, relationship, context))
      .slice(0, maxFixes)
      .flatMap((join, index) => {
        const keys = Object.entries(crossTable(join)).filter(([key]) => isEmpty(relationship, key)) as NewKey[];
        const look = { title: `Complete it: ${titleOf(join)}`, preferred: index === 0 };
        return fixWithValues(look, context.parsed.yaml, map, keys);
      });
    return [...fixes, onCanvas];
  },
};

/** Decisions need the dialogs of the canvas. */
const onCanvas = fixOnCanvas('Join its ends on the canvas');

function joinsOf(
  { source, target }: Relationship,
  { parsed: { graph }, catalog }: GraphContext,
): readonly JoinSuggestion[] {
  const [from, to] = [source, target].map((end) => end && endNamed(graph, end.value));
  return catalog ? suggestJoinsOf(catalog, from, to) : [];
}

function titleOf({ mappings: columns, crossTable: cross, reason }: JoinSuggestion): string {
  const pairs = columns.map((each) => ('source' in each ? `${each.source} = ${each.target}` : each.expression));
  return cross ? `Join ${reason}` : `Join by ${pairs.join(' and ')} (${reason})`;
}

function mappings({ mappings: columns }: JoinSuggestion): NewKey {
  return ['mappings', columns.map(writtenMapping)];
}

function crossTable({ crossTable: cross }: JoinSuggestion): Readonly<Record<string, NonNullable<NewKey[1]>>> {
  return {
    ...(cross?.dataSource === undefined ? {} : { dataSource: cross.dataSource }),
    dataObject: cross?.dataObject ?? '',
    sourceMappings: (cross?.sourceMappings ?? []).map((each) => writtenCrossMapping(each, 'source')),
    targetMappings: (cross?.targetMappings ?? []).map((each) => writtenCrossMapping(each, 'target')),
  };
}

/** Whether a suggested cross table is the one that a relationship names, as far as it names one. */
function fits(
  join: CrossTableValues,
  { crossTable: cross }: Relationship,
  { parsed: { graph } }: GraphContext,
): boolean {
  const isSameObject = !cross?.dataObject || cross.dataObject.value === join.dataObject;
  const namesNone = !cross?.dataSource && !cross?.dataObject;
  return isSameObject && (namesNone || dataSourceNamed(graph, cross) === (join.dataSource ?? graph.dataSource?.value));
}

function isEmpty({ crossTable: cross }: Relationship, key: string): boolean {
  if (key === 'dataSource') return !cross?.dataSource && !cross?.dataObject;
  if (key === 'dataObject') return !cross?.dataObject;
  return (key === 'sourceMappings' ? cross?.sourceMappings : cross?.targetMappings)?.length === 0;
}

function crossMap(relationship: Relationship, { parsed }: GraphContext): YAMLMap | undefined {
  const map = parsed.originOf(relationship);
  const value = map && pairOf(map, 'crossTable')?.value;
  return isMap(value) ? (value as YAMLMap) : undefined;
}
