import type { ElementValues, ProcessContextValues } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';
import type { CardPatch, CardValues } from './card-values.ts';

/** The change of the annotation alone. */
export function contextIntent(before: CardValues, now: CardValues): CardPatch {
  const { processContext } = elementPatch(before, now);
  if (processContext === undefined) return {};
  return { processContext: (processContext && tidyContext(withoutEmptyLines(processContext))) ?? null };
}

/** Changes between the original and the current values of a dialog; empty without changes. */
export function elementPatch(before: CardValues, now: CardValues): CardPatch {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])] as (keyof CardValues)[];
  const changed = keys.filter((key) => !same(before[key], now[key]));
  return Object.fromEntries(changed.map((key) => [key, isNothing(now[key]) ? null : now[key]])) as CardPatch;
}

/** Why a dialog cannot be confirmed; undefined when it can. */
export function missingOfCard({ isMasterData }: CardView, values: CardValues): string | undefined {
  if (values.correlatesWith?.some(({ separator }) => separator === ''))
    return t('Enter the text between the keys of a value.');
  if (!isMasterData) return missingOf(values);
  return values.dataObject?.trim() ? undefined : t('Choose its Data Object.');
}

/** Why an element cannot be confirmed; undefined when it can. */
export function missingOf({
  activityName,
  dataObject,
  startTimestamp,
  startExpression,
}: ElementValues): string | undefined {
  if (isNothing(activityName)) return t('Give it an Activity Name: a verb, then a subject.');
  if (isNothing(dataObject)) return t('Choose its Data Object.');
  if (isNothing(startTimestamp) && isNothing(startExpression))
    return t('Choose a Start Timestamp: the column that marks when a record enters this activity.');
  return undefined;
}

/** A group without entries is removed. */
function tidyContext(context: ProcessContextValues): ProcessContextValues | undefined {
  const kept = Object.entries(context).filter(([, value]) => !isNothing(value as string | readonly string[]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}

function same(one: unknown, other: unknown): boolean {
  return (isNothing(one) && isNothing(other)) || JSON.stringify(one) === JSON.stringify(other);
}

/** Drops empty lines that appear while typing. */
function withoutEmptyLines(context: ProcessContextValues): ProcessContextValues {
  return Object.fromEntries(
    Object.entries(context).map(([key, value]: [string, string | readonly string[]]) => [
      key,
      typeof value === 'string' ? value : value.map((entry) => entry.trim()).filter((entry) => entry !== ''),
    ]),
  );
}
