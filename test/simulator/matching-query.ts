import { isDotWalk, rowsOf, walk, type Instance } from './instance.ts';
import { columnOf } from './schema.ts';

/** The encoded query for `field=value` parameters; references may be given by display value. */
export function matchingQuery(instance: Instance, table: string, parameters: URLSearchParams): string {
  return [...parameters]
    .filter(([name]) => !name.startsWith('sysparm_'))
    .map(([name, value]) => `${name}=${storedKey(instance, table, name, value).replaceAll('^', '^^')}`)
    .join('^');
}

function storedKey(instance: Instance, table: string, field: string, value: string): string {
  const reference =
    columnOf(table, field)?.reference ??
    (isDotWalk(table, field) ? walk(instance, table, {}, field).reference : undefined);
  if (reference === undefined) return value;
  const target = rowsOf(instance, reference).find((record) =>
    [record['sys_id'], record['name'], record['user_name'], record['number']].includes(value),
  );
  return target?.['sys_id'] ?? value;
}
