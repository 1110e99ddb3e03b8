import { SaxesParser, type SaxesTagPlain } from 'saxes';

/**
 * The requirements of IEEE 1849-2023 for XES files, independent of the program: elements and their order, attributes,
 * prefixes of keys, and lexical forms of values. The published schema is not part of the project.
 */

const valueForms: Readonly<Record<string, RegExp>> = {
  string: /^/,
  date: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
  int: /^[+-]?\d{1,19}$/, // Its range is looked at, too.
  float: /^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?INF|NaN)$/,
  boolean: /^(true|false|0|1)$/,
  id: /^/,
};
const name = /^[\p{L}_:][\p{L}\p{Nd}\p{Mn}_.:·-]*$/u;
const plainName = /^[\p{L}_][\p{L}\p{Nd}\p{Mn}_.·-]*$/u;

/** In the order in which they may follow each other. */
const logParts = ['extension', 'global', 'classifier', 'attribute', 'trace', 'event'];
const traceParts = ['attribute', 'event'];

/** Violations of a log. Throws when it is not well-formed. */
export function xesFaults(log: string): readonly string[] {
  const faults: string[] = [];
  const prefixes = new Set<string>();
  const path: { readonly name: string; readonly keys: Set<string>; part: number }[] = [];
  const parser = new SaxesParser();
  const expect = (holds: boolean, fault: string): void => void (holds || faults.push(fault));

  function open({ name: tag, attributes }: SaxesTagPlain): void {
    const above = path.at(-1);
    const has = (...names: readonly string[]): void =>
      expect(
        Object.keys(attributes).toSorted().join() === names.toSorted().join(),
        `${tag} has ${Object.keys(attributes).join(', ')}`,
      );
    const isValue = Object.hasOwn(valueForms, tag);
    if (!above) {
      expect(tag === 'log', `${tag} is the root`);
      has('xes.version', 'xes.features');
      expect(/^\d+(\.\d+)?$/.test(attributes['xes.version'] ?? ''), `version ${attributes['xes.version']}`);
    } else if (above.name === 'log' || above.name === 'trace') {
      const parts = above.name === 'log' ? logParts : traceParts;
      const part = parts.indexOf(isValue ? 'attribute' : tag);
      expect(part >= 0, `${tag} in ${above.name}`);
      expect(part >= above.part, `${tag} too late in ${above.name}`);
      above.part = part;
    } else expect(isValue, `${tag} in ${above.name}`);
    if (isValue) {
      has('key', 'value');
      const { key = '', value = '' } = attributes;
      expect(name.test(key), `the key ${key}`);
      expect(!key.includes(':') || prefixes.has(key.split(':')[0] ?? ''), `the prefix of ${key} is not declared`);
      expect(valueForms[tag]?.test(value) === true, `${key} is the ${tag} ${value}`);
      const isLong =
        tag === 'int' && valueForms['int']?.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
      expect(tag !== 'int' || isLong === true, `${key} is the int ${value}`);
      expect(above?.keys.has(key) !== true, `${key} is there twice`);
      above?.keys.add(key);
    }
    if (tag === 'extension') {
      has('name', 'prefix', 'uri');
      prefixes.add(attributes['prefix'] ?? '');
    }
    if (tag === 'global') has('scope');
    if (tag === 'classifier') has('name', 'scope', 'keys');
    if (tag === 'trace' || tag === 'event') has();
    if (tag === 'extension' || tag === 'classifier')
      expect(plainName.test(attributes['name'] ?? ''), `the name ${attributes['name']}`);
    path.push({ name: tag, keys: new Set(), part: 0 });
  }

  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', open);
  parser.on('text', (text) => expect(text.trim() === '', `the text ${text}`));
  parser.on('closetag', () => {
    const closed = path.pop();
    if (closed?.name === 'event' || closed?.name === 'trace')
      expect(closed.keys.has('concept:name'), `${closed.name} without name`);
    if (closed?.name === 'event') expect(closed.keys.has('time:timestamp'), 'event without time');
  });
  parser.write(log).close();
  return faults;
}

/** A trace: the name of its case, and its events as key → value. */
export interface XesTrace {
  readonly name: string;
  readonly events: readonly Readonly<Record<string, string>>[];
}

/** The traces of a log. */
export function xesTraces(log: string): readonly XesTrace[] {
  const traces: { name: string; events: Record<string, string>[] }[] = [];
  const path: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name: tag, attributes }) => {
    const above = path.at(-1);
    path.push(tag);
    const trace = traces.at(-1);
    if (tag === 'trace') traces.push({ name: '', events: [] });
    else if (tag === 'event') trace?.events.push({});
    else if (above === 'trace' && trace && attributes['key'] === 'concept:name') trace.name = attributes['value'] ?? '';
    else if (above === 'event')
      Object.assign(trace?.events.at(-1) ?? {}, { [attributes['key'] ?? '']: attributes['value'] });
  });
  parser.on('closetag', () => void path.pop());
  parser.write(log).close();
  return traces;
}
