import type { ObjectRead } from '../../query/compiled-query.ts';
import type { RecordSource } from './record-source.ts';

/** A read extended by the columns that validate the row cache, if it is enabled. */
export function cacheableRead(
  { changes }: Pick<RecordSource, 'changes'>,
  stateFolder: string | undefined,
  read: ObjectRead,
): ObjectRead {
  const proof = stateFolder !== undefined && changes?.tells(read) ? changes.proof(read) : undefined;
  if (!proof || read.columns.some(({ name }) => name === proof.name)) return read;
  return { ...read, columns: [...read.columns, proof], proof: proof.name };
}
