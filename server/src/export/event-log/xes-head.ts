import {
  type XesAttributeNode,
  type XesClassifier,
  type XesGlobal,
  type XesHead,
  classifierNames,
  exportedHead,
  headOf,
  logEntityType,
  withoutExported,
} from '../../event-logs/xes/xes-head.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import { ExportError } from '../export-error.ts';
import { masterDataTables } from '../master-data-tables.ts';
import { xmlText } from '../../../../protocol/xml-text.ts';
import { isPrefix, xmlName } from './xml-name.ts';

/** An attribute that an export writes. */
export interface WrittenAttribute {
  /** Name of the property. */
  readonly name: string;
  readonly key: string;
  readonly type: string;
  /** Every event or trace has it. */
  readonly isOfAll: boolean;
}

/**
 * The head of the log that a graph comes from (docs/exports.md#event-logs-of-one-entity-type): the values of the only
 * entity of the type `xes:log`; empty for other graphs. Rejects with an `ExportError` when they are of another form.
 */
export async function readKeptHead(store: StoreReader, options: StatementOptions): Promise<XesHead> {
  const none: XesHead = { attributes: [], extensions: [], globals: [], classifiers: [] };
  const held = (await masterDataTables(store)).findLast(({ entityType }) => entityType === logEntityType);
  if (!held) return none;
  const columns = Object.keys(none).map((name) =>
    held.properties.some((each) => each.name === name) ? quoteIdentifier(name) : `NULL AS ${quoteIdentifier(name)}`,
  );
  const rows = await store.query(`SELECT ${columns.join(', ')} FROM ${quoteIdentifier(held.table)} LIMIT 2`, options);
  const [row, another] = rows;
  const head = row && !another ? headOf(row as Record<keyof XesHead, unknown>) : undefined;
  if (!head) {
    throw new ExportError(
      'log-malformed',
      another
        ? `The graph has several entities of the type ${logEntityType}, and an event log has one head.`
        : `The entity of the type ${logEntityType} has values that are not those of the head of an event log.`,
      `Take the properties attributes, extensions, globals and classifiers of ${logEntityType} as the data object log has them, or remove the entry ${held.name} from entities.`,
    );
  }
  const kept = withoutExported(head);
  return { ...kept, extensions: kept.extensions.filter(({ prefix }) => isPrefix(prefix)) };
}

/** Prefixes that keys may have. */
export function prefixesOf(kept: XesHead): readonly string[] {
  return [...exportedHead.extensions, ...kept.extensions].map(({ prefix }) => prefix);
}

/** The head of a file: the declarations of every export, and the original declarations that hold for the exported traces. */
export function headText(
  entityType: string,
  kept: XesHead,
  written: Readonly<Record<'trace' | 'event', readonly WrittenAttribute[]>>,
): string {
  const prefixes = prefixesOf(kept);
  const extensions = [...exportedHead.extensions, ...kept.extensions];
  const globals = [
    ...exportedHead.globals,
    ...kept.globals.flatMap((each) => writtenGlobal(each, written[each.scope])),
  ];
  const names = new Set<string>();
  const classifiers = [
    ...exportedHead.classifiers,
    ...kept.classifiers.flatMap((each) => writtenClassifier(each, written[each.scope])),
  ].filter(({ name }) => !names.has(name) && names.add(name));
  const isNested = [...kept.attributes, ...globals.map(({ attribute }) => attribute)].some(hasInner);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // The published schema has no namespace, and a number as version.
    `<log xes.version="1849.2023" xes.features="${isNested ? 'nested-attributes' : ''}">`,
    ...extensions.map(({ name, prefix, uri }) => {
      const plain = xmlName(name);
      return `<extension name="${plain}" prefix="${prefix}" uri="${xmlText(uri)}"/>`;
    }),
    ...(['trace', 'event'] as const).map((scope) => {
      const own = globals.filter((each) => each.scope === scope).map(({ attribute }) => attribute);
      return `<global scope="${scope}">${nodesText(own, prefixes)}</global>`;
    }),
    ...classifiers.map(
      ({ name, scope, keys }) => `<classifier name="${name}" scope="${scope}" keys="${xmlText(keys)}"/>`,
    ),
    nodesText([{ type: 'string', key: 'concept:name', value: entityType }], prefixes),
    ...kept.attributes.map((node) => nodesText([node], prefixes)),
    '',
  ].join('\n');
}

/** A global attribute is written only if all traces or events have it. */
function writtenGlobal({ scope, attribute }: XesGlobal, written: readonly WrittenAttribute[]): readonly XesGlobal[] {
  const found = written.find(({ name, type, isOfAll }) => isOfAll && name === attribute.key && type === attribute.type);
  return found ? [{ scope, attribute: { ...attribute, key: found.key } }] : [];
}

/** A classifier with its attributes under their written names; none if one is not written. */
function writtenClassifier(classifier: XesClassifier, written: readonly WrittenAttribute[]): readonly XesClassifier[] {
  const names = classifierNames(
    classifier,
    written.map(({ name }) => name),
  );
  if (!names) return [];
  const keys = names.map((name) => written.find((each) => each.name === name)?.key);
  return [{ ...classifier, name: xmlName(classifier.name), keys: keys.join(' ') }];
}

function hasInner({ attributes = [] }: XesAttributeNode): boolean {
  return attributes.length > 0;
}

function nodesText(nodes: readonly XesAttributeNode[], prefixes: readonly string[]): string {
  const texts = nodes.map(({ type, key, value, attributes = [], values = [] }) => {
    const given = value === undefined ? '' : ` value="${xmlText(value)}"`;
    const inner = nodesText(attributes, prefixes);
    const listed = type === 'list' ? `<values>${nodesText(values, prefixes)}</values>` : '';
    const begin = `<${type} key="${xmlName(key, prefixes)}"${given}`;
    return inner + listed === '' ? `${begin}/>` : `${begin}>${inner}${listed}</${type}>`;
  });
  return texts.join('');
}
