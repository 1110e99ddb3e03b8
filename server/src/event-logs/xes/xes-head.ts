import { compositeTypes, isXesValue, simpleTypes } from './xes-value.ts';

/** An attribute of an XES log with all that it contains. */
export interface XesAttributeNode {
  readonly type: string;
  readonly key: string;
  /** Absent of lists and containers. */
  readonly value?: string;
  readonly attributes?: readonly XesAttributeNode[];
  /** For lists: the content of `<values>`. */
  readonly values?: readonly XesAttributeNode[];
}

interface XesExtension {
  readonly name: string;
  readonly prefix: string;
  readonly uri: string;
}

/** An attribute that every trace or event has. */
export interface XesGlobal {
  readonly scope: XesScope;
  readonly attribute: XesAttributeNode;
}

export interface XesClassifier {
  readonly name: string;
  readonly scope: XesScope;
  /** Keys of attributes with blanks between them. */
  readonly keys: string;
}

type XesScope = 'trace' | 'event';

/**
 * Attributes, extensions, globals and classifiers of an XES log, besides its name. The names are those of the columns
 * of the data object `log`.
 */
export interface XesHead {
  readonly attributes: readonly XesAttributeNode[];
  readonly extensions: readonly XesExtension[];
  readonly globals: readonly XesGlobal[];
  readonly classifiers: readonly XesClassifier[];
}

/** The entity type whose only entity has the head of the log that a graph comes from. */
export const logEntityType = 'xes:log';

/** The head of every exported log. */
export const exportedHead: XesHead = {
  attributes: [],
  extensions: [
    ['Concept', 'concept'],
    ['Time', 'time'],
    ['Lifecycle', 'lifecycle'],
    ['Organizational', 'org'],
    ['Cost', 'cost'],
  ].map(([name = '', prefix = '']) => ({ name, prefix, uri: `http://www.xes-standard.org/${prefix}.xesext` })),
  globals: [
    { scope: 'trace', attribute: { type: 'string', key: 'concept:name', value: '' } },
    { scope: 'event', attribute: { type: 'string', key: 'concept:name', value: '' } },
    { scope: 'event', attribute: { type: 'date', key: 'time:timestamp', value: '1970-01-01T00:00:00.000000Z' } },
    { scope: 'event', attribute: { type: 'string', key: 'lifecycle', value: 'start' } },
  ],
  classifiers: [
    { name: 'Activity', scope: 'event', keys: 'concept:name' },
    { name: 'ActivityAndLifecycle', scope: 'event', keys: 'concept:name lifecycle' },
  ],
};

/** Types of the attributes of these extensions, on which their readers rely. */
export const standardTypes: Readonly<Record<string, 'string' | 'float'>> = {
  'concept:instance': 'string',
  'lifecycle:transition': 'string',
  'lifecycle:state': 'string',
  'lifecycle:model': 'string',
  'org:resource': 'string',
  'org:role': 'string',
  'org:group': 'string',
  'cost:total': 'float',
  'cost:currency': 'string',
};

/** A head without the content of every exported log. */
export function withoutExported(head: XesHead): XesHead {
  const { extensions, globals, classifiers } = exportedHead;
  return {
    attributes: head.attributes,
    extensions: head.extensions.filter(({ prefix }) => !extensions.some((own) => own.prefix === prefix)),
    globals: head.globals.filter(
      ({ scope, attribute: { key } }) => !globals.some((own) => own.scope === scope && own.attribute.key === key),
    ),
    classifiers: head.classifiers.filter(({ name }) => !classifiers.some((own) => own.name === name)),
  };
}

/**
 * The attributes of a classifier; undefined if one of them is not among `names`. Names may have blanks, so the longest
 * name that stands at a place is meant.
 */
export function classifierNames({ keys }: XesClassifier, names: readonly string[]): readonly string[] | undefined {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const found: string[] = [];
  for (let rest = keys.trim(); rest !== '';) {
    const next = longestFirst
      .flatMap((name) => [name, `'${name}'`].map((spelling) => ({ spelling, name })))
      .find(({ spelling }) => rest === spelling || rest.startsWith(`${spelling} `));
    if (!next) return undefined;
    found.push(next.name);
    rest = rest.slice(next.spelling.length).trimStart();
  }
  return found;
}

/** The head from the columns of the data object `log`. Undefined if a column has an invalid value. */
export function headOf(columns: Readonly<Record<keyof XesHead, unknown>>): XesHead | undefined {
  const attributes = listOf(columns.attributes, isNode);
  const extensions = listOf(columns.extensions, (each) => isTexts(each, ['name', 'prefix', 'uri']));
  const globals = listOf(columns.globals, (each) => hasScope(each) && isNode(each['attribute']));
  const classifiers = listOf(columns.classifiers, (each) => hasScope(each) && isTexts(each, ['name', 'keys']));
  return attributes && extensions && globals && classifiers
    ? ({ attributes, extensions, globals, classifiers } as unknown as XesHead)
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON list; an empty text gives an empty list, other values undefined. */
function listOf(text: unknown, isItem: (item: Fields) => boolean): readonly Fields[] | undefined {
  if (text === null || text === undefined || text === '') return [];
  try {
    const list: unknown = JSON.parse(String(text));
    return Array.isArray(list) && list.every((each) => isFields(each) && isItem(each)) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isNode(node: unknown): boolean {
  if (!isFields(node)) return false;
  const { type, value, attributes = [], values = [] } = node;
  const isSimple = simpleTypes.includes(String(type));
  return (
    isTexts(node, ['type', 'key']) &&
    (isSimple ? typeof value === 'string' && isXesValue(String(type), value) : compositeTypes.includes(String(type))) &&
    [attributes, values].every((list) => Array.isArray(list) && list.every(isNode))
  );
}

function hasScope({ scope }: Fields): boolean {
  return scope === 'trace' || scope === 'event';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string' && fields[name] !== '');
}
