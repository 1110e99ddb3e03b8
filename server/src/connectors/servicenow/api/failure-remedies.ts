import type { RequestedCall } from './call-platform.ts';

/** Remedies for rejected requests, by API. Pure. */
interface Remedies {
  /** Status 403. */
  readonly refused: string;
  /** Status 404. */
  readonly missing: string;
  /** The instance does not have the table. */
  readonly unknownTable: string;
  /** The address does not exist. */
  readonly unknownPath: string;
}

export function remediesFor({ method, path }: RequestedCall): Remedies {
  const name = interfaceName(path);
  const own = Object.hasOwn(interfaces, name) ? interfaces[name] : undefined;
  const isRead = method === 'GET';
  const shared = {
    refused: isRead
      ? 'Give the user a role that may read the table and the fields that the query filters by.'
      : 'Give the user a role that may write to the table, and to the fields that are set.',
    unknownTable: isRead
      ? 'Correct the name of the table: in tables of the data source, the name of the data object, or where it was typed.'
      : 'Correct the name of the table; nothing was written.',
    unknownPath: 'Check the path, and whether the application it belongs to is installed on the instance.',
  };
  return { ...shared, ...(own ?? scripted)(method) };
}

/** The API name, such as `table`; empty for scripted ones. */
function interfaceName([namespace, ...path]: readonly string[]): string {
  const [first = '', second = ''] = path;
  if (namespace !== 'now') return '';
  return /^v\d+$/.test(first) ? second : first;
}

type Differences = Pick<Remedies, 'missing'> & Partial<Remedies>;

const interfaces: Readonly<Record<string, (method: RequestedCall['method']) => Differences>> = {
  table: (method) => ({
    missing: `The record does not exist, or the user may not ${method === 'GET' ? 'read' : 'see'} it.`,
  }),
  stats: () => ({ missing: 'The table has no records that the user may read.' }),
  attachment: (method) => ({
    missing:
      method === 'POST'
        ? 'The record that it is attached to does not exist, or the user may not see it.'
        : 'The attachment does not exist, or the user may not see its record.',
    ...(method !== 'GET' && { refused: 'Give the user a role that may write to the record, and attach files to it.' }),
  }),
  import: (method) => ({
    missing:
      method === 'GET'
        ? 'The staged row does not exist any more, or the user may not read it.'
        : 'Check the name of the staging table, and that the user may see it.',
    ...(method !== 'GET' && {
      refused: 'Give the user a role that may write to the staging table, such as import_set_loader.',
      unknownTable: 'Correct the name of the staging table; nothing was staged.',
    }),
  }),
};

/** The meaning of its responses is defined by the author of the endpoint. */
const scripted = (): Differences => ({
  missing:
    'Check the path and the parameters: the endpoint does not exist, or its script did not find the requested item.',
  refused: 'Give the user the role that the endpoint asks for, or look at its access controls.',
});
