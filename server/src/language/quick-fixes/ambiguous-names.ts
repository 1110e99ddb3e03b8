import { dataSourceNamed } from '../../model/data-sources-used.ts';
import { nodeAt } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { sourcesOfSelection } from '../checks/ambiguous-names.ts';
import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Names the data source of an entry, one fix for each in which its data object is selected. */
export const nameDataSource: QuickFix = {
  codes: ['ambiguous-data-object'],
  fixes(problem, { parsed: { graph, yaml } }) {
    const { elements, entities, relationships } = graph;
    const crossTables = relationships.flatMap(({ crossTable }) => crossTable ?? []);
    const entry = [...elements, ...entities, ...crossTables].find(
      ({ dataObject }) => dataObject?.range.start === problem.range.start,
    );
    const sources = sourcesOfSelection(graph).get(entry?.dataObject?.value ?? '') ?? [];
    return sources.flatMap((source) =>
      withField({ title: `Read it of "${source}"` }, problem, yaml, ['dataSource', source]),
    );
  },
};

/** Names the entity type of an entry: by its data source and object, or by its object alone. */
export const nameEntityType: QuickFix = {
  codes: ['ambiguous-entity-type'],
  fixes(problem, { parsed: { graph, yaml } }) {
    const entry = [...graph.elements, ...graph.entities].find(
      ({ dataObject }) => dataObject?.range.start === problem.range.start,
    );
    const name = entry?.dataObject?.value;
    const source = dataSourceNamed(graph, entry);
    if (name === undefined || source === undefined) return [];
    const own = `${source} ${name}`;
    const types = entry?.dataSource && source !== graph.dataSource?.value ? [own, name] : [name, own];
    return types.flatMap((type) =>
      withField({ title: `Set entityType to "${type}"` }, problem, yaml, ['entityType', type]),
    );
  },
};

/** Sets a field beside the data object at a problem. */
function withField(
  look: Pick<Fix, 'title'>,
  { range }: Problem,
  yaml: YamlText,
  [key, value]: readonly [key: string, value: string],
): readonly Fix[] {
  const place = nodeAt(yaml.document.contents, range, yaml.text);
  return place ? fixOfMeaning(look, yaml, [{ kind: 'set', path: [...place.path.slice(0, -1), key], value }]) : [];
}
