import type { SaxesTagPlain } from 'saxes';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { CheckError } from '../check-error.ts';
import { type CheckResult, checkResult, createNotes } from '../log-check.ts';
import { readXmlFile } from '../xml-file.ts';
import { type LogTable, createLogRows } from './log-tables.ts';

/**
 * Reads an XML log into `logTables`; returns the results of format-specific checks of the published schema. Rejects
 * with `CheckError`.
 */
export async function readXmlLog(
  path: string,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const rows = await createLogRows(folder);
  const log = createXmlLog();
  const flush = async (): Promise<void> => {
    for (const [table, row] of log.takeRows()) await rows.add(table, JSON.stringify(row));
  };
  await readXmlFile(path, { ...log, flush }, signal);
  await rows.load(database, signal);
  return log.results();
}

type Row = Readonly<Record<string, string | undefined>>;

const sectionOrder = ['object-types', 'event-types', 'objects', 'events'];

/**
 * Allowed elements by parent path. Relations are `object` in the published schema, `relationship` in the published
 * examples.
 */
const children: Readonly<Record<string, readonly string[]>> = {
  '': ['log'],
  log: sectionOrder,
  'log/object-types': ['object-type'],
  'log/object-types/object-type': ['attributes'],
  'log/object-types/object-type/attributes': ['attribute'],
  'log/event-types': ['event-type'],
  'log/event-types/event-type': ['attributes'],
  'log/event-types/event-type/attributes': ['attribute'],
  'log/objects': ['object'],
  'log/objects/object': ['attributes', 'objects'],
  'log/objects/object/attributes': ['attribute'],
  'log/objects/object/objects': ['object', 'relationship'],
  'log/events': ['event'],
  'log/events/event': ['attributes', 'objects'],
  'log/events/event/attributes': ['attribute'],
  'log/events/event/objects': ['object', 'relationship'],
};

const elementNames: ReadonlySet<string> = new Set(Object.values(children).flat());

/** Converts the elements of the file to rows, one at a time. Unknown elements are skipped with their content. */
// eslint-disable-next-line max-lines-per-function -- A state machine, whose handlers of elements share the current object.
function createXmlLog() {
  /** Each open element with those around it, such as `log/events`. */
  const path: string[] = [];
  const sections: string[] = [];
  const misplaced = createNotes();
  const unknown = createNotes();
  /** Number of open elements that are passed over. */
  let ignored = 0;
  let rows: [LogTable, Row][] = [];
  let owner = '';
  let attribute: { name?: string; time?: string } | undefined;
  let text = '';

  const add = (table: LogTable, row: Row): void => void rows.push([table, row]);

  function openRow(place: string, own: Readonly<Record<string, string>>): void {
    const kind = place.startsWith('log/object') ? 'object' : 'event';
    switch (place) {
      case 'log/object-types/object-type':
      case 'log/event-types/event-type':
        owner = own['name'] ?? '';
        add('declared_type', { kind, name: own['name'] });
        break;
      case 'log/object-types/object-type/attributes/attribute':
      case 'log/event-types/event-type/attributes/attribute':
        add('declared_attribute', { kind, type: owner, name: own['name'], value_type: own['type'] });
        break;
      case 'log/objects/object':
        owner = own['id'] ?? '';
        add('object', { id: own['id'], type: own['type'] });
        break;
      case 'log/events/event':
        owner = own['id'] ?? '';
        add('event', { id: own['id'], type: own['type'], time: own['time'] });
        break;
      case 'log/objects/object/attributes/attribute':
      case 'log/events/event/attributes/attribute':
        attribute = own;
        break;
      case 'log/objects/object/objects/relationship':
      case 'log/events/event/objects/relationship':
      case 'log/objects/object/objects/object':
      case 'log/events/event/objects/object':
        add(`${kind}_object`, { source: owner, target: own['object-id'], qualifier: own['qualifier'] });
    }
  }

  return {
    open({ name, attributes }: SaxesTagPlain, line: number): void {
      const above = path.at(-1) ?? '';
      if (above === '' && name !== 'log') {
        const message = `The file is not an OCEL 2.0 log: it begins with <${name}>, not with <log>.`;
        throw new CheckError('file-malformed', message, { line });
      }
      if (ignored > 0 || !(children[above] ?? []).includes(name)) {
        if (ignored === 0) (elementNames.has(name) ? misplaced : unknown).add(`${name} in ${above}`);
        ignored += 1;
        return;
      }
      if (above === 'log') sections.push(name);
      const place = above === '' ? name : `${above}/${name}`;
      path.push(place);
      text = '';
      openRow(place, attributes);
    },
    text(more: string): void {
      if (ignored === 0) text += more;
    },
    close(): void {
      if (ignored > 0) {
        ignored -= 1;
        return;
      }
      if (attribute) {
        const kind = path.at(-1)?.startsWith('log/objects') ? 'object' : 'event';
        const time = kind === 'object' ? { time: attribute.time } : {};
        add(`${kind}_value`, { owner, name: attribute.name, value: text, ...time });
        attribute = undefined;
      }
      text = '';
      path.pop();
    },
    takeRows(): readonly [LogTable, Row][] {
      const taken = rows;
      rows = [];
      return taken;
    },
    results(): readonly CheckResult[] {
      const ordered = sections.join() === sectionOrder.join();
      return [
        checkResult('object-types, event-types, objects and events are there, in this order', ordered ? 0 : 1, [
          sections.join(', ') || 'there are none of them',
        ]),
        misplaced.result('Elements stand where the published schema and examples have them'),
        unknown.result('There are no elements but those of OCEL 2.0'),
      ];
    },
  };
}
