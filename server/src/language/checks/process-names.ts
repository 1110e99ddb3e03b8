import { type EntityElement, type EntityGraph, namesOfActivities, relationshipName } from '../../model/entity-graph.ts';
import { namesOfEveryType } from '../../measure-kinds/default-measures.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import type { FieldValues } from '../../model/process-rule.ts';
import { entityTypesOf } from '../../model/related-types.ts';
import type { Located, SourceRange } from '../../model/source-range.ts';

/** The names of a file that rules and measures can use. */
interface KnownNames {
  /** Undefined if a column holds the activities. */
  readonly activities: ReadonlySet<string> | undefined;
  /** The names of texts of columns that are no activity any more, because `activityNames` give them other names. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly entityTypes: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
}

export function knownNames({ elements, entities, relationships }: EntityGraph): KnownNames {
  const areOfColumns = elements.some(({ activityColumn }) => activityColumn !== undefined);
  return {
    activities: areOfColumns ? undefined : new Set(elements.flatMap(({ activityName }) => activityName?.value ?? [])),
    renamed: renamedTexts(elements),
    entityTypes: entityTypesOf({ elements, entities }),
    relationships: new Set(relationships.map(relationshipName)),
  };
}

/** Texts that every activity column of the file has under another name. */
function renamedTexts(elements: readonly EntityElement[]): ReadonlyMap<string, string> {
  const ofColumns = elements.filter(({ activityColumn }) => activityColumn !== undefined);
  const names = new Set([
    ...elements.flatMap(({ activityName }) => activityName?.value ?? []),
    ...ofColumns.flatMap(namesOfActivities).map(({ value }) => value),
  ]);
  const [first, ...others] = ofColumns.map(
    ({ activityNames }) => new Map((activityNames?.renames ?? []).map(({ text, name }) => [text.value, name.value])),
  );
  return new Map(
    [...(first ?? [])].filter(([text]) => !names.has(text) && others.every((renames) => renames.has(text))),
  );
}

/** A name that is not in the file. */
export interface UnknownName {
  readonly name: Located<string>;
  readonly known: ReadonlySet<string>;
  /** A sentence about the missing name. */
  readonly message: string;
  /** The name that it has in its place; default: the most similar ones. */
  readonly instead?: string;
}

type NameType = 'activity' | 'entityType' | 'relationship';

/** @param namesOf the names of a type that a rule or a measure has */
export function unknownNames(
  namesOf: (type: NameType) => readonly FieldValues[NameType][],
  known: KnownNames,
): readonly UnknownName[] {
  return [
    ...namesOf('activity').flatMap((name): readonly UnknownName[] => {
      const now = known.renamed.get(name.value);
      if (now === undefined) return [];
      const message = `The text "${name.value}" of the activity column is called "${now}" (activityNames).`;
      return [{ name, known: new Set(), instead: now, message }];
    }),
    ...notIn(
      known.activities,
      namesOf('activity'),
      (name) => `No element of this file has the activity name "${name}".`,
    ),
    ...notIn(known.entityTypes, namesOf('entityType'), (name) => `No entities of this file are of the type "${name}".`),
    ...notIn(
      known.relationships,
      namesOf('relationship'),
      (name) => `No relationship of this file is called "${name}".`,
    ),
  ];
}

/** @param known undefined if it is not known which names there are */
export function notIn(
  known: ReadonlySet<string> | undefined,
  names: readonly Located<string>[],
  message: (name: string) => string,
): readonly UnknownName[] {
  if (!known) return [];
  return names.flatMap((name) => (known.has(name.value) ? [] : [{ name, known, message: message(name.value) }]));
}

/** Maximum number of similarity searches, which are slow for many names. */
const maxSuggestions = 20;

export function withSuggestions(
  unknown: readonly UnknownName[],
  code: 'rule-unknown-name' | 'measure-unknown-name' | 'guard-unknown-name' | 'accepted-unknown-name',
): readonly Problem[] {
  return unknown.map(({ name: { value, range }, known, message, instead }, place) => {
    const nearest = instead !== undefined ? [instead] : place < maxSuggestions ? nearestNames(value, known) : [];
    return {
      code,
      severity: 'error',
      message: `${message} ${didYouMean(nearest) ?? 'Correct the name.'}`,
      range,
      ...(nearest.length > 0 ? { suggestions: nearest } : {}),
    };
  });
}

/** Rules and measures of one name, and measures called like one that each entity type has. */
export function duplicateNames({ rules, measures }: Pick<EntityGraph, 'rules' | 'measures'>): readonly Problem[] {
  const first = new Map<string, { readonly range: SourceRange; readonly kind: string }>();
  const named = [
    ...rules.map(({ name }) => ({ name, kind: 'rule' })),
    ...measures.map(({ name }) => ({ name, kind: 'measure' })),
  ];
  return named.flatMap(({ name, kind }): readonly Problem[] => {
    if (!name) return [];
    if (kind === 'measure' && namesOfEveryType.has(name.value)) {
      const message = `Every entity type has a measure "${name.value}" without text. Give this one another name.`;
      return [{ code: 'duplicate-rule-name', severity: 'error', message, range: name.range }];
    }
    const before = first.get(name.value);
    if (!before) {
      first.set(name.value, { range: name.range, kind });
      return [];
    }
    const other = before.kind === kind ? `Another ${kind}` : `A ${before.kind}`;
    const message = `${other} is already called "${name.value}". Give one of them another name.`;
    const related = [{ message: 'The first one is here.', range: before.range }];
    return [{ code: 'duplicate-rule-name', severity: 'error', message, range: name.range, related }];
  });
}
