import { entityTypeColours, plainEntityTypeColours } from '../../../protocol/entity-type-colours.ts';
import type { MapTheme } from './map-theme.ts';
import type { ProcessMap } from './process-map.ts';

/** The colour of each entity type on a map: the same wherever the type is shown. */
export function coloursOf(
  { subject, typeOrder }: Pick<ProcessMap, 'subject' | 'typeOrder'>,
  { isForFile }: Pick<MapTheme, 'isForFile'>,
): ReadonlyMap<string, string> {
  const colours = (isForFile ? plainEntityTypeColours : entityTypeColours)(typeOrder);
  const shown = subject.kind === 'all' ? subject.entityTypes : [subject.entityType];
  return new Map([...colours].filter(([type]) => shown.includes(type)));
}
