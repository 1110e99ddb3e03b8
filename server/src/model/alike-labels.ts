import { type LabelMeaning, meaningOfLabel } from './activity-words.ts';
import { editDistance } from './nearest-name.ts';

/** A label with how often it occurs, and how often each other one comes before or after it. */
export interface UsedLabel {
  readonly label: string;
  readonly events: number;
  /** By `<label` for the one before, and `>label` for the one after. */
  readonly neighbours: ReadonlyMap<string, number>;
}

export interface AlikeLabels {
  /** The rarer one. */
  readonly variant: string;
  readonly usual: string;
  readonly why: 'case and blanks' | 'spelling' | 'language';
}

/** A typing error is rarer than the right spelling. */
const mostShare = 0.34;
/** Cosine of the neighbours of both. */
const leastLikeness = 0.5;
const mostLabels = 1_000;

/** Labels that probably mean the same as a more frequent one: each rare label once, with its most similar one. Pure. */
export function alikeLabels(labels: readonly UsedLabel[]): readonly AlikeLabels[] {
  const sorted = [...labels].sort((one, other) => other.events - one.events).slice(0, mostLabels);
  const folded = sorted.map(({ label }) => fold(label));
  const meanings = folded.map(meaningOfLabel);
  const found: AlikeLabels[] = [];
  for (const [index, { label: variant }] of sorted.entries()) {
    const same = folded.indexOf(folded[index] ?? '');
    if (same < index) {
      found.push({ variant, usual: sorted[same]?.label ?? '', why: 'case and blanks' });
      continue;
    }
    const usual = sorted
      .slice(0, index)
      .find((each, other) => isMistyped(each, folded[other] ?? '', sorted[index], folded[index] ?? ''));
    if (usual) {
      found.push({ variant, usual: usual.label, why: 'spelling' });
      continue;
    }
    const translated = sorted
      .slice(0, index)
      .find((each, other) => isTranslated(each, meanings[other], sorted[index], meanings[index]));
    if (translated) found.push({ variant, usual: translated.label, why: 'language' });
  }
  return found;
}

/** Without accents, case, punctuation and doubled blanks. */
function fold(label: string): string {
  const letters = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return letters === '' ? label : letters;
}

function isMistyped(usual: UsedLabel, usualText: string, rare: UsedLabel | undefined, rareText: string): boolean {
  if (!rare || rare.events > usual.events * mostShare) return false;
  const limit = Math.min(usualText.length, rareText.length) >= 10 ? 2 : 1;
  if (Math.min(usualText.length, rareText.length) < 5) return false;
  const digits = (text: string): string => text.replace(/[^\p{N}]/gu, '');
  // Level 1 and Level 2 are two things, and so are Assigned and Unassigned.
  if (digits(usualText) !== digits(rareText)) return false;
  if (Math.abs(usualText.length - rareText.length) > 1) return false;
  if (editDistance(usualText, rareText, limit, [[], [], []]) > limit) return false;
  return likeness(usual.neighbours, rare.neighbours) >= leastLikeness;
}

/** The same meaning in words of two languages: two words of one language may be two things. */
function isTranslated(
  usual: UsedLabel,
  usualMeaning: LabelMeaning | undefined,
  rare: UsedLabel | undefined,
  rareMeaning: LabelMeaning | undefined,
): boolean {
  if (!rare || !usualMeaning || !rareMeaning || usualMeaning.text !== rareMeaning.text) return false;
  if ([...usualMeaning.languages].some((language) => rareMeaning.languages.has(language))) return false;
  return likeness(usual.neighbours, rare.neighbours) >= leastLikeness;
}

/** Cosine of two distributions. */
function likeness(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const norm = (counts: ReadonlyMap<string, number>): number => Math.hypot(...counts.values());
  let product = 0;
  for (const [label, count] of one) product += count * (other.get(label) ?? 0);
  const norms = norm(one) * norm(other);
  return norms === 0 ? 0 : product / norms;
}
