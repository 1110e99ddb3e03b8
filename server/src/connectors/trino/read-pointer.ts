import { pointerTable, type GraphPlace, type Turn } from './graph-place.ts';
import type { Session } from './session.ts';

/** The content of the pointer, with the entity graph whose run it names. */
interface Pointer extends Omit<Turn, 'hasSchema'> {
  readonly entity?: string | undefined;
}

/** The pointer before the first publication. */
export const noTurn: Pointer = { turn: 0, run: undefined, previous: undefined };

/** Reads the pointer table. Rejects with a `SourceError` where it is missing. */
export async function readPointer(
  session: Session,
  place: GraphPlace,
  signal: AbortSignal | undefined,
): Promise<Pointer> {
  const pointer = place.name(place.schema, pointerTable);
  const [row] = await session.rows(`SELECT turn, run, previous, entity FROM ${pointer}`, { signal });
  if (!row) return noTurn;
  const [turn, run, previous, entity] = row.map((value) => (value === null ? undefined : String(value)));
  return { turn: Number(turn), run, previous, entity };
}
