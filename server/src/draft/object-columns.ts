import { because } from './draft-reason.ts';
import { type ColumnProfile, isTime, isUnique } from './column-profile.ts';
import { nameWords, suggests } from './name-words.ts';
import { byScore, type Scored, scored } from './scored.ts';

/** Maximum number of object columns: more would not be distinguishable on a map. */
const maxObjects = 6;

/** Columns that name other things that a row is about, the best first. */
export function objectColumns(
  profiles: readonly ColumnProfile[],
  references: ReadonlySet<string>,
): readonly Scored<ColumnProfile>[] {
  return byScore(profiles.map((profile) => rateObject(profile, references)).filter(({ score }) => score >= 3)).slice(
    0,
    maxObjects,
  );
}

function rateObject(profile: ColumnProfile, references: ReadonlySet<string>): Scored<ColumnProfile> {
  const { name, distinct = 0, rows, filled = 0, meanLength, isList } = profile;
  const isPossible =
    (isList || profile.sense === 'text' || profile.sense === 'integer' || profile.sense === 'other') &&
    !isTime(profile) &&
    !isUnique(profile) &&
    !profile.timeText &&
    meanLength <= 60 &&
    filled > 0.02 &&
    distinct > 1;
  if (!isPossible) return { value: profile, score: -100, reasons: [] };
  const isSomebody = suggests(name, 'person') || suggests(name, 'thing');
  return scored(profile, [
    { weight: references.has(name) ? 4 : 0, reason: because('refers to another table') },
    { weight: isSomebody || suggests(name, 'caseLike') ? 3 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'organisation') ? 2 : 0, reason: because('is called {0}', name) },
    { weight: suggests(name, 'identifier') ? 2 : 0, reason: because('is called {0}', name) },
    { weight: profile.withDigits > 0.8 ? 1 : 0, reason: because('has values that look like identifiers') },
    { weight: isList ? 2 : 0, reason: because('has lists as values') },
    {
      weight: distinct >= 5 && distinct < 0.5 * rows ? 1 : 0,
      reason: because('has {0} different values', String(distinct)),
    },
    { weight: distinct < 4 ? -3 : 0 },
    // Audit columns: who wrote the row.
    { weight: nameWords(name)[0] === 'sys' ? -2 : 0 },
    { weight: suggests(name, 'measure') || profile.sense === 'number' ? -8 : 0 },
    { weight: suggests(name, 'category') ? -3 : 0 },
    { weight: suggests(name, 'state') || suggests(name, 'activity') || suggests(name, 'sequence') ? -4 : 0 },
  ]);
}
