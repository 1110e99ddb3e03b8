import { createHash } from 'node:crypto';
import { columnsOf, simulatedTables, simulatedViews } from './schema.ts';

/** A record: every value is a string, empty for NULL. */
export type SimulatedRecord = Record<string, string>;
export type SimulatedData = Map<string, SimulatedRecord[]>;

export interface DemoSize {
  readonly seed: number;
  readonly incidents: number;
}

const known = new Map<string, SimulatedData>();

/** The tables of an instance; equal sizes and seeds give equal records. Small ones are made once, and copied. */
export function demoData(size: DemoSize): SimulatedData {
  if (size.incidents > 1000) return madeData(size);
  const key = `${size.seed} ${size.incidents}`;
  const data = known.get(key) ?? madeData(size);
  known.set(key, data);
  return new Map([...data].map(([table, records]) => [table, records.map((record) => ({ ...record }))] as const));
}

function madeData({ seed, incidents }: DemoSize): SimulatedData {
  const data: SimulatedData = new Map([...simulatedTables.keys()].map((name) => [name, []]));
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const add = (table: string, index: number, time: number, values: SimulatedRecord): SimulatedRecord => {
    const record = newRecord(table, sysId(`${seed} ${table} ${index}`), time, values);
    data.get(table)?.push(record);
    return record;
  };
  const start = Date.UTC(2024, 0, 8, 8);
  const users = range(20).map((index) =>
    add('sys_user', index, start, {
      user_name: `user.${index}`,
      name: `${pick(['Ann', 'Bob', 'Cem', 'Dee'])} ${pick(['Öz', 'Li', 'Smith, Jr.', 'Fox'])} ${index}`,
      email: `user.${index}@example.com`,
      active: 'true',
    }),
  );
  const groups = range(4).map((index) =>
    add('sys_user_group', index, start, { name: `Group ${index}`, manager: idOf(pick(users)), active: 'true' }),
  );
  const items = range(10).map((index) =>
    add('cmdb_ci', index, start, { name: `server-${index}`, install_date: '2023-02-28', cost: `${index * 10}.50` }),
  );
  const taskValues = (prefix: string, table: string, index: number, time: number): SimulatedRecord => ({
    number: `${prefix}${String(index + 1).padStart(7, '0')}`,
    sys_class_name: table,
    short_description: pick(['Printer is on fire', 'No mail ^ no fun', 'VPN = slow', 'Password, again']),
    priority: String(1 + Math.floor(random() * 5)),
    active: 'true',
    opened_at: utcText(time),
    opened_by: idOf(pick(users)),
    assigned_to: random() < 0.8 ? idOf(pick(users)) : '',
    assignment_group: idOf(pick(groups)),
    cmdb_ci: idOf(pick(items)),
    made_sla: String(random() < 0.9),
    reassignment_count: '0',
    calendar_duration: utcText(Math.floor(random() * 300_000) * 1000),
  });
  const problems = range(Math.ceil(incidents / 10)).map((index) => {
    const time = start + index * 9_000_000;
    const state = String(101 + Math.floor(random() * 7));
    const values = { ...taskValues('PRB', 'problem', index, time), state, known_error: 'false', problem_state: state };
    return add('problem', index, time, values);
  });
  const changes = range(Math.ceil(incidents / 20)).map((index) => {
    const time = start + index * 18_000_000;
    const values = { ...taskValues('CHG', 'change_request', index, time), type: 'normal', state: pick(changeStates) };
    return add('change_request', index, time, values);
  });
  for (const index of range(incidents)) {
    // Several records share a second, more than one small page of them.
    const time = start + Math.floor(index / 7) * 600_000;
    const state = pick(['1', '2', '3', '6', '7']);
    const isClosed = state === '6' || state === '7';
    const updated = time + Math.floor(random() * 500) * 1000;
    const incident = add('incident', index, time, {
      ...taskValues('INC', 'incident', index, time),
      state,
      incident_state: state,
      active: String(state !== '7'),
      sys_updated_on: utcText(updated),
      sys_mod_count: '1',
      caller_id: idOf(pick(users)),
      category: pick(['network', 'software', 'hardware']),
      problem_id: random() < 0.4 ? idOf(pick(problems)) : '',
      caused_by: random() < 0.2 ? idOf(pick(changes)) : '',
      resolved_at: isClosed ? utcText(updated) : '',
    });
    add('task_ci', index, time, { task: idOf(incident), ci_item: idOf(pick(items)), applied: 'true' });
    const steps = ['1', ...(state === '1' ? [] : [state])];
    for (const [step, newvalue] of steps.entries()) {
      add('sys_audit', index * 2 + step, time + step * 60_000, {
        tablename: 'incident',
        fieldname: 'state',
        documentkey: idOf(incident),
        oldvalue: step === 0 ? '' : '1',
        newvalue,
        user: 'user.0',
        record_checkpoint: String(step),
      });
    }
  }
  for (const [index, name] of ['Open', 'Assigned'].entries()) {
    const definition = add('metric_definition', index, start, { name, table: 'incident', field: 'state' });
    for (const [at, incident] of (data.get('incident') ?? []).entries()) {
      if (at % (index + 2) === 0) continue;
      const time = start + at * 60_000;
      const span = { start: utcText(time), end: utcText(time + 3_600_000), duration: '1970-01-01 01:00:00' };
      const subject = { definition: idOf(definition), id: idOf(incident), table: 'incident', field: 'state' };
      add('metric_instance', index * incidents + at, time, { ...subject, ...span, value: String(at % 5) });
    }
  }
  describeTables(data, start);
  describeViews(data, start);
  describeChoices(data, start);
  return data;
}

/** A record with every column of its table, system columns included. */
export function newRecord(table: string, id: string, time: number, values: SimulatedRecord): SimulatedRecord {
  const record: SimulatedRecord = {};
  for (const { element } of columnsOf(table)) record[element] = '';
  const now = utcText(time);
  const own = { sys_created_on: now, sys_updated_on: now, sys_created_by: 'admin', sys_mod_count: '0' };
  for (const [name, value] of Object.entries({ ...own, ...values, sys_id: id }))
    if (name in record) record[name] = value;
  return record;
}

export function sysId(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** A point in time as the platform stores it: UTC, `yyyy-MM-dd HH:mm:ss`. */
export function utcText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * `sys_db_object` and `sys_dictionary`: types are referenced by name, columns belong to the table that defines them.
 */
function describeTables(data: SimulatedData, time: number): void {
  for (const table of simulatedTables.values()) {
    const superClass = table.superClass === undefined ? '' : sysId(`table ${table.superClass}`);
    const values = { name: table.name, label: table.label, super_class: superClass, is_extendable: 'true' };
    data.get('sys_db_object')?.push(newRecord('sys_db_object', sysId(`table ${table.name}`), time, values));
    const rows = [{ element: '', type: 'collection', label: table.label, reference: '' }, ...table.columns];
    for (const { element, type, label, reference = '' } of rows) {
      const choice = choices.some(([, name]) => name === element) ? '1' : '0';
      const entry = { name: table.name, element, column_label: label, internal_type: type, reference, choice };
      const id = sysId(`column ${table.name}.${element}`);
      data
        .get('sys_dictionary')
        ?.push(newRecord('sys_dictionary', id, time, { ...entry, active: 'true', mandatory: 'false' }));
      const labelled = { name: table.name, element, label, language: 'en' };
      const labelId = sysId(`label ${table.name}.${element}`);
      data.get('sys_documentation')?.push(newRecord('sys_documentation', labelId, time, labelled));
    }
  }
}

/** `sys_db_view` and its parts. */
function describeViews(data: SimulatedData, time: number): void {
  const add = (table: string, id: string, values: SimulatedRecord): void =>
    void data.get(table)?.push(newRecord(table, sysId(id), time, values));
  for (const { name, label, tables } of simulatedViews.values()) {
    add('sys_db_view', `view ${name}`, { name, label });
    for (const [index, { table, prefix, equal, isLeft = false, fields = [] }] of tables.entries()) {
      const id = `view ${name} ${prefix}`;
      add('sys_db_view_table', id, {
        ...{ view: sysId(`view ${name}`), table, variable_prefix: prefix, active: 'true' },
        ...{ where_clause: equal?.join(' = ') ?? '', left_join: String(isLeft), order: String((index + 1) * 100) },
      });
      for (const field of fields) add('sys_db_view_table_field', `${id} ${field}`, { view_table: sysId(id), field });
    }
  }
}

/** `sys_choice`: values and labels; a table without its own choices inherits them. */
function describeChoices(data: SimulatedData, time: number): void {
  for (const [name, element, labels] of choices) {
    for (const [index, [value, label]] of Object.entries(labels).entries()) {
      for (const [language, text] of [['en', label] as const, ['de', `${label} (de)`] as const]) {
        const id = sysId(`choice ${name}.${element} ${value} ${language}`);
        const values = { name, element, value, label: text, language, sequence: String(index), inactive: 'false' };
        data.get('sys_choice')?.push(newRecord('sys_choice', id, time, values));
      }
    }
  }
  const id = sysId('choice incident.state 99');
  const retired = {
    name: 'incident',
    element: 'state',
    value: '99',
    label: 'Retired',
    language: 'en',
    inactive: 'true',
  };
  data.get('sys_choice')?.push(newRecord('sys_choice', id, time, retired));
}

const choices: readonly (readonly [table: string, element: string, labels: Readonly<Record<string, string>>])[] = [
  ['task', 'state', { '1': 'Open', '3': 'Closed' }],
  ['task', 'priority', { '1': 'Critical', '2': 'High', '3': 'Moderate', '4': 'Low', '5': 'Planning' }],
  ['incident', 'state', { '1': 'New', '2': 'In Progress', '3': 'On Hold', '6': 'Resolved', '7': 'Closed' }],
  ['incident', 'category', { network: 'Network', software: 'Software', hardware: 'Hardware' }],
  ['change_request', 'state', { '-5': 'New', '-4': 'Assess', '-1': 'Implement', '3': 'Closed', '4': 'Canceled' }],
];

const changeStates = ['-5', '-4', '-3', '-2', '-1', '0', '3', '4'];

function idOf(record: SimulatedRecord): string {
  return record['sys_id'] ?? '';
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Numbers from 0 to below 1, determined by the seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
