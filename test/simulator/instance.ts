import { demoData, newRecord, randomNumbers, sysId, type SimulatedData, type SimulatedRecord } from './demo-data.ts';
import { meets, parseEncodedQuery, type QueryTerm } from './encoded-query.ts';
import { columnOf, descendants, simulatedTables, simulatedViews } from './schema.ts';
import { viewRows } from './view-rows.ts';

/** Configuration of the simulated instance; tests change it between requests. */
export interface InstanceSettings {
  /** Effect of a condition on a missing or unreadable field. */
  invalidQuery: 'ignore' | 'none' | 'forbid';
  /** False: `<`, `>` and sorting are ignored, as without the ACL `query_range`. */
  queryRange: boolean;
  /** Rows that the user may read; others are omitted after the limit was applied. */
  mayRead: (table: string, record: SimulatedRecord) => boolean;
  /** True: unreadable rows are returned as `{}`. */
  emptyRows: boolean;
  /** `table.field` names that the user may not read. */
  hiddenFields: ReadonlySet<string>;
  /** What `X-Total-Count` and the Aggregate API count: every row selected by a query, or the readable ones. */
  pageCounts: 'all' | 'readable';
  statsCounts: 'all' | 'readable';
  /** True: a page is filled with readable rows. */
  limitAfterAcl: boolean;
  /** Maximum number of rows in a page, whatever the limit of a request. */
  maxPage: number;
  /** Fields of single records that the user may not read. */
  mayReadField: (table: string, field: string, record: SimulatedRecord) => boolean;
  /** True: the Aggregate API refuses to count tables with rows that the user may not read. */
  statsForbidden: boolean;
  /**
   * Offset of literal times in a query from UTC, in hours: it is not certain whether they are read in the user's zone.
   */
  literalHours: number;
  /** Whether texts of a query are compared case-sensitively, as documented, rather than like databases do. */
  caseSensitive: boolean;
  /** Records of another domain, returned by cross-domain requests only. */
  otherDomain: (table: string, record: SimulatedRecord) => boolean;
  /** `sys_id` of the logged-in user; empty for none. */
  userId: string;
  /** Whether the user may reach records of other domains. */
  mayCrossDomains: boolean;
  /** Tables whose deletions are written to `sys_audit_delete`. */
  auditsDeletes: (table: string) => boolean;
  /** Whether `ref_incident.caller_id` is a known field of tasks. */
  childFields: boolean;
  /**
   * The `sys_id` of a row of a database view: nothing, an empty text, or that of its first table, which other rows
   * share.
   */
  viewKeys: 'absent' | 'empty' | 'repeated';
  /** Whether the Aggregate API knows database views, and whether tables describe them. */
  viewFigures: boolean;
  viewsDescribed: boolean;
  /** Results of bulk inserts. */
  bulk: BulkSettings;
  /** Zone of the user, used for display values. */
  userTimeZone: string;
  /** Numbers and booleans of records are JSON values, not texts. */
  nativeValues: boolean;
}

/** Progress of an import set with rows inserted in bulk. */
export interface BulkSettings {
  /** Its final state, reached at the third request. */
  readonly state: 'processed' | 'cancelled' | 'error' | 'loading';
  /** Number of transformed rows; further ones stay `pending`. */
  readonly transformed: number;
  /** Number of the first row. */
  readonly firstRow: 0 | 1;
}

/** The tables of an instance, and read permissions. */
export interface Instance {
  readonly settings: InstanceSettings;
  readonly data: SimulatedData;
  /** Seeded: unordered reads return another order each time. */
  readonly random: () => number;
  readonly now: () => number;
  newId(): string;
}

export function createInstance(seed: number, incidents: number): Instance {
  let created = 0;
  return {
    settings: {
      invalidQuery: 'ignore',
      queryRange: true,
      mayRead: () => true,
      emptyRows: false,
      mayReadField: () => true,
      pageCounts: 'all',
      statsCounts: 'all',
      limitAfterAcl: false,
      maxPage: Infinity,
      hiddenFields: new Set(),
      statsForbidden: false,
      literalHours: 0,
      caseSensitive: false,
      otherDomain: () => false,
      userId: '',
      mayCrossDomains: true,
      auditsDeletes: () => true,
      childFields: true,
      viewKeys: 'absent',
      viewFigures: true,
      viewsDescribed: true,
      bulk: { state: 'processed', transformed: Infinity, firstRow: 0 },
      userTimeZone: 'America/New_York',
      nativeValues: false,
    },
    data: demoData({ seed, incidents }),
    random: randomNumbers(seed + 1),
    now: () => Date.UTC(2024, 5, 1) + created * 1000,
    newId: () => sysId(`created ${seed} ${(created += 1)}`),
  };
}

/** The rows selected by a query, before row ACLs. `forbidden` when the instance answers 403. */
export interface Selection {
  readonly records: readonly SimulatedRecord[];
  readonly forbidden: boolean;
}

/** The records of a table and its extensions that an encoded query selects, in its order. */
export function select(instance: Instance, table: string, query: string): Selection {
  const { settings } = instance;
  const { branches, order } = parseEncodedQuery(query);
  const isValid = (field: string): boolean =>
    isDotWalk(table, field, settings) && !settings.hiddenFields.has(`${table}.${field}`);
  const terms = branches.flat(2);
  const invalid = terms.some(({ field, operator }) => !isValid(field) || operator === '');
  if (invalid && settings.invalidQuery === 'forbid') return { records: [], forbidden: true };
  if (invalid && settings.invalidQuery === 'none') return { records: [], forbidden: false };
  const counts = ({ field, operator }: QueryTerm): boolean =>
    isValid(field) && operator !== '' && (settings.queryRange || !/^[<>]|LIKE|WITH/.test(operator));
  const used = branches.map((groups) =>
    groups.map((group) => group.filter(counts)).filter((group) => group.length > 0),
  );
  const matches = (record: SimulatedRecord): boolean =>
    used.some((groups) =>
      groups.every((group) =>
        group.some((term) => {
          const walked = walk(instance, table, record, term.field);
          const literal = asLiteral(withUser(term, settings), walked.type, settings.literalHours);
          const numeric = /^(?:integer|decimal|float|longint)$/.test(walked.type);
          const { caseSensitive } = settings;
          if (isMoney(walked.type))
            return meets(inOwnCurrency(walked.value), literal, { numeric: true, caseSensitive });
          return meets(walked.value, literal, { numeric, caseSensitive });
        }),
      ),
    );
  const all = rowsOf(instance, table);
  const found = used.every((groups) => groups.length === 0) ? [...all] : all.filter(matches);
  const keys = settings.queryRange ? order.filter(({ field }) => isValid(field)) : [];
  if (keys.length === 0) return { records: shuffled(found, instance.random), forbidden: false };
  // Shuffled first, because the order of records with equal keys is not certain.
  const sorted = shuffled(found, instance.random)
    .map((record) => ({ record, values: keys.map(({ field }) => walk(instance, table, record, field).value) }))
    .sort((left, right) => {
      for (const [index, { descending }] of keys.entries()) {
        const [one = '', other = ''] = [left.values[index], right.values[index]];
        if (one !== other) return (one < other ? -1 : 1) * (descending ? -1 : 1);
      }
      return 0;
    });
  return { records: sorted.map(({ record }) => record), forbidden: false };
}

export function isMoney(type: string): boolean {
  return /^(?:currency2?|price)$/.test(type);
}

/** Amounts are compared in the instance's currency, US dollars, at the rate of the day. */
function inOwnCurrency(stored: string): string {
  const [, code = 'USD', amount = stored] = /^(\w+);(.*)$/.exec(stored) ?? [];
  return amount === '' || code === 'USD' ? amount : String(Number(amount) * 1.25);
}

/** All records of a table, those of its extensions included. */
export function rowsOf(instance: Instance, table: string): readonly SimulatedRecord[] {
  const view = simulatedViews.get(table);
  if (view) return viewRows(instance.data, view);
  return descendants(table).flatMap((name) => instance.data.get(name) ?? []);
}

/** The one script known to the instance stands for the user. */
function withUser(term: QueryTerm, { userId }: InstanceSettings): QueryTerm {
  return term.value === 'javascript:gs.getUserID()' ? { ...term, value: userId === '' ? 'nobody' : userId } : term;
}

/** A literal time as interpreted by the instance. */
function asLiteral(term: QueryTerm, type: string, hours: number): QueryTerm {
  const isTime = type === 'glide_date_time' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(term.value);
  if (!isTime || hours === 0) return term;
  const time = Date.parse(`${term.value.replace(' ', 'T')}Z`) - hours * 3_600_000;
  return { ...term, value: new Date(time).toISOString().slice(0, 19).replace('T', ' ') };
}

export function findRecord(instance: Instance, table: string, id: string): SimulatedRecord | undefined {
  const has = (record: SimulatedRecord): boolean => record['sys_id'] === id;
  if (simulatedViews.has(table)) return rowsOf(instance, table).find(has);
  for (const name of descendants(table)) {
    const found = instance.data.get(name)?.find(has);
    if (found) return found;
  }
  return undefined;
}

/** @param user The author; the instance itself if absent. */
export function insertRecord(
  instance: Instance,
  table: string,
  values: SimulatedRecord,
  user = 'admin',
): SimulatedRecord {
  const record = newRecord(table, instance.newId(), instance.now(), { sys_created_by: user, ...values });
  instance.data.get(table)?.push(record);
  return record;
}

/**
 * Deletes a record; audited deletions are recorded in `sys_audit_delete` under the record's own table, not the one it
 * extends.
 */
export function deleteRecord(instance: Instance, table: string, id: string): void {
  for (const name of descendants(table)) {
    const records = instance.data.get(name) ?? [];
    const at = records.findIndex((record) => record['sys_id'] === id);
    if (at < 0) continue;
    records.splice(at, 1);
    if (instance.settings.auditsDeletes(name))
      insertRecord(instance, 'sys_audit_delete', { tablename: name, documentkey: id });
  }
}

/** The value at the end of a dot-walk, with its column. */
export function walk(
  instance: Instance,
  table: string,
  record: SimulatedRecord,
  path: string,
): { readonly value: string; readonly type: string; readonly reference?: string | undefined } {
  const [head = '', ...rest] = path.split('.');
  const child = childOf(table, head);
  if (child !== undefined && rest.length > 0) {
    const found = walk(instance, child, record, rest.join('.'));
    return descendants(child).includes(record['sys_class_name'] ?? '') ? found : { ...found, value: '' };
  }
  const concrete = columnOf(table, head) ?? columnOf(record['sys_class_name'] ?? '', head);
  const value = record[head] ?? '';
  if (rest.length > 0 && concrete?.reference) {
    const target = findRecord(instance, concrete.reference, value);
    return target ? walk(instance, concrete.reference, target, rest.join('.')) : { value: '', type: 'string' };
  }
  return {
    value,
    type: concrete?.type ?? 'string',
    reference: concrete?.reference,
  };
}

/** The table meant by `ref_` and its name; undefined if that extends another one, or none. */
function childOf(table: string, head: string): string | undefined {
  const name = head.startsWith('ref_') ? head.slice(4) : '';
  return name !== table && descendants(table).includes(name) ? name : undefined;
}

export function isDotWalk(
  table: string,
  path: string,
  settings: Pick<InstanceSettings, 'childFields'> = { childFields: true },
): boolean {
  const [head = '', ...rest] = path.split('.');
  const child = childOf(table, head);
  if (child !== undefined) return settings.childFields && rest.length > 0 && isDotWalk(child, rest.join('.'));
  const column = columnOf(table, head);
  if (!column) return false;
  if (rest.length === 0) return true;
  return column.reference !== undefined && isDotWalk(column.reference, rest.join('.'));
}

export function tableExists({ settings }: Instance, name: string): boolean {
  if (name.startsWith('sys_db_view') && !settings.viewsDescribed) return false;
  return simulatedTables.has(name) || simulatedViews.has(name);
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
