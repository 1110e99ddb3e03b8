import { type Node, isMap, isScalar, isSeq } from 'yaml';
import { type EntityGraph, relationshipName } from '../model/entity-graph.ts';
import type { MeaningChange, MeaningPath } from '../model/edits/meaning-change.ts';
import { type EditOutcome, noEdits } from '../model/edits/verified-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { toStepPath } from '../language/cursor/scalar-place.ts';
import type { GraphTests } from './graph-tests.ts';
import { type NameRole, roleOfKeys, roleOfValue } from './name-roles.ts';

/** A new name of something in a graph. */
export interface Renaming {
  readonly role: Extract<NameRole, 'activity' | 'entityType' | 'relationship' | 'rule'>;
  readonly name: string;
  readonly newName: string;
}

/** The activities and relationships that an edit renamed. Relationships without a name are called by their ends. */
export function renamingsBetween(before: EntityGraph, after: EntityGraph): readonly Renaming[] {
  return [
    ...renamings(
      'activity',
      before.elements.map(({ activityName }) => activityName?.value),
      after.elements.map(({ activityName }) => activityName?.value),
    ),
    ...renamings('relationship', before.relationships.map(relationshipName), after.relationships.map(relationshipName)),
  ];
}

/** Entries keep their places in an edit that renames; a name that something else still has stays. */
function renamings(
  role: Renaming['role'],
  before: readonly (string | undefined)[],
  after: readonly (string | undefined)[],
): readonly Renaming[] {
  if (before.length !== after.length) return [];
  return before.flatMap((name, index) => {
    const newName = after[index];
    if (name === undefined || newName === undefined || name === newName || after.includes(name)) return [];
    return [{ role, name, newName }];
  });
}

/** The edits of a file of tests after names of its graph changed. */
export function renamedInTests({ yaml }: Pick<GraphTests, 'yaml'>, all: readonly Renaming[]): EditOutcome {
  const newName = (role: NameRole | undefined, name: unknown): string | undefined =>
    all.find((each) => each.role === role && each.name === name)?.newName;
  const changes: MeaningChange[] = [];
  const keyChanges: MeaningChange[] = [];
  const visit = (node: unknown, path: MeaningPath): void => {
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const next = newName(roleOfKeys(toStepPath(path).path), name);
        if (next !== undefined) keyChanges.push({ kind: 'rename', path: [...path, name], key: next });
        visit(value, [...path, name]);
      }
    } else if (isSeq(node)) node.items.forEach((item, index) => visit(item, [...path, index]));
    else if (isScalar(node)) {
      const value = newName(roleOfValue(toStepPath(path).path), node.value);
      if (value !== undefined) changes.push({ kind: 'set', path, value });
    }
  };
  visit(yaml.document.contents, []);
  // Renamed keys are part of the paths of later changes.
  const ordered = [...changes, ...keyChanges];
  return ordered.length === 0 ? { edits: noEdits } : writeChanges(yaml, ordered);
}
