import { join, relative, sep } from 'node:path';

/** File name extensions of entity graphs. */
export const entityFilePattern = /\.entity\.(ya?ml|json)$/i;

/**
 * Id of an entity graph in a state folder: its path relative to `folder`, with `/` and without
 * `.entity.yaml`. The other two extensions are kept, so that `a.entity.yaml` and `a.entity.json` do not share a graph.
 */
export function entityIdOf(file: string, folder: string): string {
  const path = relative(folder, file).split(sep).join('/');
  const ending = entityFilePattern.exec(path)?.[1]?.toLowerCase();
  const base = path.replace(entityFilePattern, '');
  return ending === undefined || ending === 'yaml' ? base : `${base}~${ending}`;
}

/** The file with an id of `entityIdOf`. */
export function entityFileOf(entity: string, folder: string): string {
  const [, base = entity, ending = 'yaml'] = /^(.*)~(yml|json)$/.exec(entity) ?? [];
  return join(folder, ...`${base}.entity.${ending}`.split('/'));
}
