import type { ColumnSense } from '../../catalog/catalog.ts';
import type { ExactValues } from '../dialect.ts';

/** Values with the same text in all engines. Texts of times depend on zones, and texts of JSON on its spelling. */
const plainSenses: ReadonlySet<ColumnSense> = new Set(['text', 'integer', 'number', 'boolean']);

/** Engines with types for times, which print texts unchanged. */
export const exactValues: ExactValues = {
  texts: (_, sense) => plainSenses.has(sense),
  nulls: () => true,
  times: (_, sense) => sense === 'timestamp' || sense === 'date',
};

/** A text of fixed length, which engines pad, or not, depending on how it is read. */
export function isPadded(type: string): boolean {
  return /^(character|char|bpchar)\b(?! varying)/i.test(type);
}
