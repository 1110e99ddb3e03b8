import { mapPartTables } from '../../graph-schema/storage-tables.ts';
import type { BuildStorage } from './build-dialect.ts';

/** The tables that the process map is read from, as SQL. */
export interface MapParts {
  /** Numbered pairs of activity and lifecycle. */
  readonly places: string;
  /** How often a place follows another within entities of a type, by class of the time between, and all times together. */
  readonly classes: string;
  /** How often each time between two places occurs, in the classes of the quantiles at least. */
  readonly durations: string;
  /** They are tables of the store, for the next import. */
  readonly areKept: boolean;
}

/** The parts of the process map as tables of the store, from which the next import brings the map up to date. */
export function keptParts({ tables }: BuildStorage): MapParts {
  const of = (part: keyof typeof mapPartTables): string => `${tables}.${mapPartTables[part]}`;
  return { places: of('places'), classes: of('classes'), durations: of('durations'), areKept: true };
}

/** The parts of the process map as temporary tables of the import. */
export const passingParts: MapParts = { ...mapPartTables, places: 'places', areKept: false };
