import type { DraftReason } from '../../../protocol/first-draft.ts';

/** A reason in words that complete "chosen because it …"; `scripts/l10n.mjs` collects the text. @param text with places `{0}` */
export function because(text: string, ...values: readonly string[]): DraftReason {
  return { text, values };
}

/** The strongest reasons, for a person. */
export function strongest(reasons: readonly DraftReason[]): readonly DraftReason[] {
  return reasons.slice(0, 3);
}

/** Reasons in English. */
export function reasonText(reasons: readonly DraftReason[]): string {
  return reasons
    .map(({ text, values }) => text.replaceAll(/\{(\d+)\}/g, (place, index: string) => values[Number(index)] ?? place))
    .join(', ');
}
