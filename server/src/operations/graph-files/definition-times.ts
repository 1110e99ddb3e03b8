import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CommittedDefinition } from '../../project/committed-definitions.ts';
import {
  type DefinitionHistory,
  type ObservedDefinition,
  type DefinitionTimes,
  historyAfterListing,
  definitionHash,
  earlier,
  readDefinitionHistory,
  writeDefinitionHistory,
} from '../../state/definition-history.ts';
import { entityFileOf } from '../../state/entity-id.ts';
import type { EntityStatus } from '../../state/entity-status.ts';

/** A definition as its file is now, with the times of the file. */
export interface DefinitionOnDisk extends ObservedDefinition {
  readonly text: string;
  readonly status: EntityStatus;
}

/** Brings the history of a state folder up to date with the files seen. Never rejects. */
export async function recordDefinitions(
  stateFolder: string,
  seen: ReadonlyMap<string, DefinitionOnDisk>,
  isReadOnly: boolean,
): Promise<DefinitionHistory> {
  const before = await readDefinitionHistory(stateFolder);
  const unseen = Object.keys(before).filter((entity) => !seen.has(entity));
  const gone = new Set<string>();
  for (const entity of unseen) if (!(await exists(entityFileOf(entity, dirname(stateFolder))))) gone.add(entity);
  const sights = new Map([...seen].map(([entity, each]): [string, ObservedDefinition] => [entity, asImported(each)]));
  const after = historyAfterListing(before, sights, (entity) => gone.has(entity));
  if (!isReadOnly) await writeDefinitionHistory(stateFolder, before, after);
  return after;
}

/** A text that was imported existed at that time, whenever its file was written. */
function asImported({ created, modified, hash, text: textOnDisk, status }: DefinitionOnDisk): ObservedDefinition {
  const { imported, text } = status;
  if (imported === undefined) return { created, modified, hash };
  // Equal texts have equal hashes, and comparing them is faster than hashing.
  const isUnchanged = text !== undefined && (text === textOnDisk || definitionHash(text) === hash);
  return {
    created: earlier(created, imported),
    modified: isUnchanged ? earlier(modified, imported) : modified,
    hash,
  };
}

/** The times to show: the earliest evidence of the definition, and the earliest of its present text. */
export function definitionTimes(
  { text, created, modified }: DefinitionOnDisk,
  remembered: DefinitionTimes | undefined,
  committed: CommittedDefinition | undefined,
): DefinitionTimes {
  const own = remembered ?? { created: earlier(created, modified), modified };
  if (!committed) return { created: own.created, modified: own.modified };
  return {
    created: earlier(own.created, committed.created),
    modified: committed.has(text) ? earlier(own.modified, committed.modified) : own.modified,
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
