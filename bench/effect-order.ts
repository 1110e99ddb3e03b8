import { entityFile } from './csv-import-order.ts';

/** A job for the measured process. */
export interface EffectOrder {
  /** A full import of the base text, or the effect of one changed `where` after such an import. */
  readonly work: 'import' | 'effect';
  /** Holds `data/ticket.csv` and `entity-sources.yaml`. */
  readonly folder: string;
}

/** The result of the measured process. */
export interface EffectMeasurement {
  readonly seconds: number;
  /** Events of the graph of the base text. */
  readonly events: number;
  /** Events that the edit takes. */
  readonly gone: number;
}

const place = '    dataObject: ticket\n';
export const baseText = entityFile.replace(place, `${place}    where: priority < 9\n`);
/** One priority of four less. */
export const editedText = entityFile.replace(place, `${place}    where: priority < 4\n`);
