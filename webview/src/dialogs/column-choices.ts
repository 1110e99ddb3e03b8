import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { Choice } from '../ui/combobox.ts';
import { t } from '../ui/translate.ts';

/** Column choices: suitable ones first, the others with the reason why not. */
export function columnChoices(
  columns: readonly ColumnView[],
  fits?: { readonly senses: readonly string[]; readonly doubt: string },
): readonly Choice[] {
  const rank = ({ sense }: ColumnView): number => {
    const place = fits?.senses.indexOf(sense) ?? 0;
    return place < 0 ? Number.MAX_SAFE_INTEGER : place;
  };
  return columns
    .toSorted((one, other) => rank(one) - rank(other))
    .map((column) => ({
      value: column.name,
      detail: columnDetail(column),
      doubt: fits && !fits.senses.includes(column.sense) ? fits.doubt : undefined,
    }));
}

export const timestamps = { senses: ['timestamp', 'date'], doubt: t('no timestamp') };

/** Whether a column has dates without time of day, which may be the ends of their days. */
export function isDate(columns: readonly ColumnView[], name: string | undefined): boolean {
  return columns.some((column) => column.name === name && column.sense === 'date');
}

/** Such as `int · key · → customers.id · 17, 18, 19`. */
export function columnDetail({ type, key, references, nullable, samples = [] }: ColumnView): string {
  return [
    type,
    key ? t('key') : '',
    references === undefined ? '' : `→ ${references}`,
    nullable || key ? '' : t('not null'),
    samples.join(', '),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
