import type { EntityGraph } from '../../model/entity-graph.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import { sqlOfEntry } from '../../model/entry-columns.ts';
import { splicedText } from '../../model/spliced-text.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { type Fix, fixByEdits } from './quick-fix.ts';

/** All custom SQL of a graph. */
export function sqlOf({ elements, entities, relationships }: EntityGraph): readonly LocatedSql[] {
  return [
    ...[...elements, ...entities].flatMap(sqlOfEntry),
    ...relationships.flatMap(({ mappings }) =>
      mappings.flatMap((mapping) => (mapping.kind === 'expression' ? [mapping.expression] : [])),
    ),
  ];
}

/** The fix that replaces a part of custom SQL. */
export function sqlFix(title: string, yaml: YamlText, edit: TextEdit): readonly Fix[] {
  const change = splicedText(yaml, edit.range, edit.newText);
  return change ? fixByEdits({ title, preferred: true }, yaml, () => [edit], [change]) : [];
}
