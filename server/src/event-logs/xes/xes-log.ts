import type { SaxesTagPlain } from 'saxes';
import { CheckError } from '../check-error.ts';
import { readHead } from './read-head.ts';
import { compositeTypes, isMissingValue, isXesValue, simpleTypes } from './xes-value.ts';
import type { XesTable } from './xes-tables.ts';

type Row = Readonly<Record<string, string | number | undefined>>;

/** Turns the elements of an XES file into rows of `xesTables`. */
interface XesLog {
  /** Throws `CheckError` for text that is not XES. */
  open(tag: SaxesTagPlain, line: number): void;
  close(): void;
  /** The rows since the last call, as JSON. */
  takeLines(): Readonly<Record<XesTable, readonly string[]>>;
  notes(): XesNotes;
}

/** What a file says that is in no table. */
export interface XesNotes {
  /** Values that are NaN, infinite or empty. */
  readonly missing: XesNote | undefined;
  /** Attributes of the log itself that have no key. */
  readonly withoutKey: XesNote | undefined;
}

interface XesNote {
  readonly count: number;
  /** The first one: its description and its line. */
  readonly what: string;
  readonly line: number;
}

/** An attribute whose element is open. */
interface OpenAttribute {
  readonly tag: string;
  readonly key: string;
  /** Null for a missing value. */
  readonly value: string | null;
  /** Children of lists and containers. */
  readonly items: Record<string, unknown>[];
}

/** An owner of attributes: the log, a trace or an event. */
interface Owner {
  readonly table: Extract<XesTable, `${string}_value`>;
  readonly position: number | undefined;
  readonly what: string;
  /** Names of its attributes. */
  readonly names: Set<string>;
}

/** Deeper attributes are refused, as a file of open elements would fill the memory. */
const maxDepth = 100;

// eslint-disable-next-line max-lines-per-function -- A state machine, whose handlers of elements share the current trace and event.
export function createXesLog(): XesLog {
  const path: string[] = [];
  const owners: Owner[] = [];
  const attributes: OpenAttribute[] = [];
  let lines = noLines();
  let traces = 0;
  let events = 0;
  /** Depth of an element whose content has no meaning here; 0 for none. */
  let ignored = 0;
  let missing: XesNote | undefined;
  let withoutKey: XesNote | undefined;
  const counted = (note: XesNote | undefined, what: string, line: number): XesNote =>
    note ? { ...note, count: note.count + 1 } : { count: 1, what, line };

  const add = (table: XesTable, row: Row): void => void lines[table].push(JSON.stringify(row));
  const head = readHead((kind, value) => add('log_head', { kind, value: JSON.stringify(value) }));
  /** The open element is of the log itself. */
  const isOfHead = (local: string): boolean =>
    owners.at(-1)?.table === 'log_value' && !['log', 'trace', 'event'].includes(local);

  function openOwner(name: string, line: number): void {
    if (name === 'trace') {
      add('trace', { position: (traces += 1), line });
      owners.push({ table: 'trace_value', position: traces, what: `trace ${traces}`, names: new Set() });
    } else {
      const trace = owners.at(-1)?.table === 'trace_value' ? traces : undefined;
      add('event', { position: (events += 1), trace, line });
      owners.push({ table: 'event_value', position: events, what: `event ${events}`, names: new Set() });
    }
  }

  function openAttribute(tag: string, given: Readonly<Record<string, string>>, line: number): void {
    const { key, value = '' } = given;
    const owner = owners.at(-1);
    const { what = 'the log' } = owner ?? {};
    if (key === undefined || key === '') {
      const keyless = `an attribute <${tag}> of ${what}`;
      if (owner?.table !== 'log_value') throw wrong(`${keyless} has no key`, line);
      // No event depends on it.
      withoutKey = counted(withoutKey, keyless, line);
      ignored = path.length;
      return;
    }
    const isMissing = simpleTypes.includes(tag) && given['value'] !== undefined && isMissingValue(tag, value);
    if (isMissing) missing = counted(missing, `${key} of ${what}`, line);
    else if (simpleTypes.includes(tag)) {
      if (given['value'] === undefined) throw wrong(`the attribute ${key} of ${what} has no value`, line);
      if (!isXesValue(tag, value))
        throw wrong(`the attribute ${key} of ${what} is "${clip(value)}", which is no ${tag}`, line);
    }
    if (attributes.length >= maxDepth) throw tooDeep(line);
    attributes.push({ tag, key, value: isMissing ? null : value, items: [] });
    const isOuter = attributes.length === 1;
    if (!owner || (!isOuter && attributes.slice(0, -1).some((each) => compositeTypes.includes(each.tag)))) return;
    const name = isOuter ? key : attributes.map((each) => each.key).join('/');
    if (owner.names.has(name)) throw wrong(`${owner.what} has the attribute ${name} twice`, line);
    owner.names.add(name);
    if (simpleTypes.includes(tag) && !isMissing) addValue(owner, name, tag, value);
  }

  /** Most of a file are values, so their JSON is put together here. */
  function addValue({ table, position }: Owner, name: string, type: string, value: string): void {
    const owner = position === undefined ? '' : `"owner":${position},`;
    lines[table].push(`{${owner}"name":${quoted(name)},"type":"${type}","value":${quoted(value)}}`);
  }

  function closeAttribute(): void {
    const closed = attributes.pop();
    const owner = owners.at(-1);
    if (!closed || !owner) return;
    const isList = compositeTypes.includes(closed.tag);
    const list = attributes.findLastIndex((each) => compositeTypes.includes(each.tag));
    // The value of another attribute was added when it was opened.
    if (!isList && list < 0) return;
    const name = [...attributes.slice(list + 1), closed].map((each) => each.key).join('/');
    if (list >= 0) {
      attributes[list]?.items.push({ [name]: isList ? closed.items : closed.value });
      return;
    }
    addValue(owner, name, closed.tag, JSON.stringify(closed.items));
  }

  return {
    open({ name, attributes: given }, line) {
      const local = name.replace(/^.*:/, '');
      const above = path.at(-1);
      path.push(local);
      if (path.length > maxDepth + 2) throw tooDeep(line);
      if (isOfHead(local)) head.open(local, given);
      if (ignored > 0) return;
      if (above === undefined) {
        if (local !== 'log') throw wrong(`the file is not an XES log: it begins with <${name}>, not with <log>`, line);
        owners.push({ table: 'log_value', position: undefined, what: 'the log', names: new Set() });
      } else if (above === 'log' && ['extension', 'global', 'classifier'].includes(local)) ignored = path.length;
      else if ((local === 'trace' && above === 'log') || (local === 'event' && (above === 'trace' || above === 'log')))
        openOwner(local, line);
      else if (local === 'values' && above === 'list') return;
      else if (simpleTypes.includes(local) || compositeTypes.includes(local)) openAttribute(local, given, line);
      else throw wrong(`<${name}> has no place in <${above}>`, line);
    },
    close() {
      const local = path.pop() ?? '';
      if (isOfHead(local)) head.close();
      if (ignored > 0) {
        if (ignored > path.length) ignored = 0;
        return;
      }
      if (local === 'log' || local === 'trace' || local === 'event') owners.pop();
      else if (local !== 'values') closeAttribute();
    },
    takeLines() {
      const taken = lines;
      lines = noLines();
      return taken;
    },
    notes: () => ({ missing, withoutKey }),
  };
}

function quoted(text: string): string {
  return /["\\\p{Cc}\p{Cs}]/u.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function noLines(): Record<XesTable, string[]> {
  return { log_value: [], log_head: [], trace: [], event: [], trace_value: [], event_value: [] };
}

function wrong(what: string, line: number): CheckError {
  return new CheckError('file-malformed', `The file breaks the rules of XES: ${what}.`, { line });
}

function tooDeep(line: number): CheckError {
  return wrong(`attributes are nested more than ${maxDepth} times`, line);
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
