import type { PlanStatement } from '../../query/compiled-query.ts';
import type { BuildSource } from '../build/build-source.ts';
import { mayHaveTies, tiesTable } from '../build/events.ts';
import { graphShape, rowsTable } from '../build/rows.ts';
import { createRowViewsSql } from './changed-properties.ts';
import { mapRebuildReason } from './extend-map.ts';
import type { ExtensionStatement } from './extension-statement.ts';
import { extensionQuestions, extensionStatements } from './extension-statements.ts';
import { copyBuild } from './graph-copy.ts';
import { extendedElement } from './new-rows.ts';
import { dropScratchSql } from './scratch-relations.ts';

function planned({ title, sql, expected }: ExtensionStatement): readonly PlanStatement[] {
  return [...(expected === undefined ? [] : [{ title, sql: expected }]), { title, sql }];
}

/** Asks whether the copy can take new rows, for a plan. */
export function newRowsQuestions(source: BuildSource): readonly PlanStatement[] {
  const { elements } = source;
  if (elements.length === 0) return [];
  return extensionQuestions(
    elements.map((element) => extendedElement(element)),
    source,
  ).flatMap(planned);
}

/** Writes new rows into the copy, for a plan. */
export function newRowsStatements(source: BuildSource): readonly PlanStatement[] {
  const { elements } = source;
  if (elements.length === 0) return [];
  const shape = graphShape(elements, { ...source, dialect: copyBuild });
  const extended = elements.map((element) => extendedElement(element));
  const ofMap = mapRebuildReason(source) === undefined ? ['later_steps'] : [];
  const scratch = [
    ...['new_keys', 'moved_entities', 'moved_events', 'sorted', ...ofMap].map(
      (name) => ({ kind: 'TABLE', name }) as const,
    ),
    ...elements
      .filter((each) => mayHaveTies(each, shape))
      .map((each) => ({ kind: 'TABLE', name: tiesTable(each) }) as const),
    ...elements.map((each) => ({ kind: 'TABLE', name: rowsTable(each) }) as const),
    { kind: 'VIEW', name: 'ranked' } as const,
  ];
  const views = createRowViewsSql(elements, graphShape(elements, source));
  return [
    ...extensionStatements(extended, source).flatMap(planned),
    ...scratch.map((each) => ({ title: 'Dropped again', sql: dropScratchSql(each) })),
    ...views.map((sql) => ({ title: 'The rows that are counted later', sql })),
  ];
}
