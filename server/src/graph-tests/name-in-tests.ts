import { aliasAt } from '../language/cursor/alias-place.ts';
import { type StepPath, scalarAt, toStepPath } from '../language/cursor/scalar-place.ts';
import type { Markdown } from '../language/markdown.ts';
import { type EntityGraph, elementEntityType, relationshipName } from '../model/entity-graph.ts';
import type { SourceRange } from '../model/source-range.ts';
import { rangeOf } from '../model/yaml-text.ts';
import type { GraphTests } from './graph-tests.ts';
import { type NameRole, roleOfKeys, roleOfValue } from './name-roles.ts';

/** A key or a value of a file of tests. */
export interface TestsPlace extends StepPath {
  readonly in: 'key' | 'value';
  readonly range: SourceRange;
  readonly text: string;
  /** What it refers to; undefined for other texts. */
  readonly role: NameRole | undefined;
  /** What the alias at the place stands for. */
  readonly says?: Markdown;
}

/** The key or value at an offset. */
export function placeInTests({ yaml }: Pick<GraphTests, 'yaml'>, offset: number): TestsPlace | undefined {
  const found = scalarAt(yaml.document.contents, offset);
  if (!found) {
    const alias = aliasAt(yaml, offset);
    return alias && { ...alias, in: 'value', role: roleOfValue(alias.path) };
  }
  const steps = toStepPath(found.path);
  const role = found.role === 'key' ? roleOfKeys(steps.path.slice(0, -1)) : roleOfValue(steps.path);
  return { ...steps, in: found.role, range: rangeOf(found.scalar), text: String(found.scalar.value), role };
}

/** The range in which a graph defines a name that a test uses; undefined for names of its data source. */
export function definitionInGraph(graph: EntityGraph, { role, text }: TestsPlace): SourceRange | undefined {
  const { elements, entities, relationships, rules } = graph;
  switch (role) {
    case 'activity':
      return elements.find(({ activityName }) => activityName?.value === text)?.activityName?.range;
    case 'rule':
      return rules.find(({ name }) => name?.value === text)?.name?.range;
    case 'relationship': {
      const found = relationships.find((each) => relationshipName(each) === text);
      return found?.name?.range ?? found?.range;
    }
    case 'entityType': {
      const found = [...elements, ...entities].find((each) => elementEntityType(each) === text);
      return found?.entityType?.range ?? found?.range;
    }
    case 'dataObject':
      return [...elements, ...entities].find(({ dataObject }) => dataObject?.value === text)?.dataObject?.range;
    default:
      return undefined;
  }
}
