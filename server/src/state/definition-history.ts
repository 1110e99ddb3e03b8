import * as crypto from 'node:crypto';
import { readText } from '../files/read-text.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { ensureStateFolder, statePaths } from './state-folder.ts';

/** When a definition was created and last modified; ISO 8601, UTC. */
export interface DefinitionTimes {
  readonly created: string;
  readonly modified: string;
}

/** A definition as it was last seen. */
interface SeenDefinition extends DefinitionTimes {
  /** Hash of its text. */
  readonly hash: string;
  /** Its file was missing at the last listing. */
  readonly isGone?: true;
}

/** By id of the entity graph. */
export type DefinitionHistory = Readonly<Record<string, SeenDefinition>>;

/** A file as it is now. Its times are those of the file system. */
export interface ObservedDefinition extends DefinitionTimes {
  readonly hash: string;
}

/** Missing definitions that are remembered, so that a file that comes back keeps its times. */
const maxGone = 200;

/** Line ends do not count: Git may change them on checkout. */
export function definitionHash(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  // A single call takes less than half the time; Node before 20.12 does not have it.
  const { hash }: Partial<Pick<typeof crypto, 'hash'>> = crypto;
  return hash?.('sha256', lines, 'hex') ?? crypto.createHash('sha256').update(lines).digest('hex');
}

/**
 * The history after a listing: a known text keeps its times, even if its file was replaced; another text was modified
 * when its file was written; a new file with the text of exactly one missing definition is that definition, renamed.
 * @param isGone whether the file of a known definition that was not listed is missing.
 */
export function historyAfterListing(
  history: DefinitionHistory,
  sights: ReadonlyMap<string, ObservedDefinition>,
  isGone: (entity: string) => boolean,
): DefinitionHistory {
  const gone = Object.entries(history).filter(([entity]) => !sights.has(entity) && isGone(entity));
  const renamed = new Set<string>();
  const seen = [...sights].map(([entity, sight]): [string, SeenDefinition] => {
    const before = history[entity];
    if (before && !(before.isGone && before.hash !== sight.hash)) return [entity, updateDefinition(before, sight)];
    const [same, ...others] = gone.filter(([, { hash }]) => hash === sight.hash);
    if (!same || others.length > 0) return [entity, firstSeen(sight)];
    renamed.add(same[0]);
    return [entity, updateDefinition(same[1], sight)];
  });
  const missing = gone
    .filter(([entity]) => !renamed.has(entity))
    .map(([entity, each]): [string, SeenDefinition] => [entity, { ...each, isGone: true }])
    .sort(([, one], [, other]) => (one.modified < other.modified ? 1 : -1))
    .slice(0, maxGone);
  const elsewhere = Object.entries(history).filter(
    ([entity]) => !sights.has(entity) && !gone.some(([missed]) => missed === entity),
  );
  const sorted = [...seen, ...missing, ...elsewhere].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted);
}

/** The times of a definition, from the remembered state and its file. */
function updateDefinition(before: SeenDefinition | undefined, sight: ObservedDefinition): SeenDefinition {
  if (!before) return firstSeen(sight);
  const { created, modified, hash } = before;
  if (hash === sight.hash) return { created, modified, hash };
  // A file may be replaced by one with an older time, such as a copy.
  return { created, modified: later(sight.modified, modified), hash: sight.hash };
}

function firstSeen({ created, modified, hash }: ObservedDefinition): SeenDefinition {
  return { created: earlier(created, modified), modified, hash };
}

/** ISO 8601 texts in UTC sort by time. */
export function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** The history of a state folder; empty when there is no readable file. */
export async function readDefinitionHistory(stateFolder: string): Promise<DefinitionHistory> {
  try {
    const path = await insideStateFolder(stateFolder, statePaths.definitions(stateFolder));
    const file = JSON.parse(await readText(path)) as { readonly version?: unknown; readonly definitions?: unknown };
    if (file.version !== 1 || typeof file.definitions !== 'object' || file.definitions === null) return {};
    return Object.fromEntries(Object.entries(file.definitions).filter(([, each]) => isSeenDefinition(each)));
  } catch {
    return {};
  }
}

function isSeenDefinition(value: unknown): value is SeenDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { created, modified, hash } = value as Partial<Record<string, unknown>>;
  const isTime = (time: unknown): boolean => typeof time === 'string' && !Number.isNaN(Date.parse(time));
  return isTime(created) && isTime(modified) && typeof hash === 'string';
}

/** Replaces the history of a state folder when it differs. Never rejects: without it the times of the files are shown. */
export async function writeDefinitionHistory(
  stateFolder: string,
  before: DefinitionHistory,
  history: DefinitionHistory,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(history)) return;
  try {
    const path = await insideStateFolder(stateFolder, statePaths.definitions(stateFolder));
    await ensureStateFolder(stateFolder);
    await writeFileAtomic(path, `${JSON.stringify({ version: 1, definitions: history }, null, 2)}\n`);
  } catch {
    // The history is optional.
  }
}

/** A new file under this id is another definition. Never rejects. */
export async function forgetDefinition(stateFolder: string, entity: string): Promise<void> {
  const before = await readDefinitionHistory(stateFolder);
  if (!(entity in before)) return;
  const { [entity]: _forgotten, ...history } = before;
  await writeDefinitionHistory(stateFolder, before, history);
}
