import type { Node, YAMLMap } from 'yaml';
import { type YamlObject, itemsOf, readObject } from './convert/read-node.ts';
import type { EntityElement, MasterData, Relationship } from './entity-graph.ts';
import type { Steps } from './steps.ts';
import type { YamlText } from './yaml-text.ts';

/** Converts the list entries of a text one by one. */
export interface EntryReader {
  read<Entry extends EntityElement | MasterData | Relationship>(
    key: string,
    list: Node | undefined,
    yaml: YamlText,
    convert: Convert<Entry>,
  ): Steps<readonly Entry[]>;
  originOf(entry: EntityElement | MasterData | Relationship): YAMLMap | undefined;
}

export type Convert<Entry> = (object: YamlObject, index: number) => Entry;

type Entry = EntityElement | MasterData | Relationship;

/** The previous state of a list: nodes and converted entries. */
interface ReadList {
  readonly nodes: readonly Node[];
  readonly entries: readonly (Entry | undefined)[];
  /** Some of its nodes were no valid entries. */
  readonly hasGaps: boolean;
  /** Converted entries by node, including earlier versions, for texts that become readable again. */
  readonly known: WeakMap<Node, Entry>;
}

/** Converts each entry once while its node exists. */
export function createEntryReader(): EntryReader {
  const lists = new Map<string, ReadList>();
  const origins = new WeakMap<Entry, YAMLMap>();

  function readOne<Kind extends Entry>(
    node: Node,
    yaml: YamlText,
    convert: Convert<Kind>,
    known: WeakMap<Node, Entry>,
  ): Kind | undefined {
    const before = known.get(node);
    if (before) return before as Kind;
    const object: YamlObject | undefined = readObject(node, yaml);
    if (!object) return undefined;
    const entry = convert(object, 0);
    origins.set(entry, object.map);
    known.set(node, entry);
    return entry;
  }

  return {
    *read<Kind extends Entry>(key: string, list: Node | undefined, yaml: YamlText, convert: Convert<Kind>) {
      const nodes = itemsOf(list, yaml).slice();
      const last = lists.get(key) ?? { nodes: [], entries: [], hasGaps: false, known: new WeakMap() };
      const [first, rest] = [commonStart(last.nodes, nodes), commonEnd(last.nodes, nodes)];
      const end = nodes.length - Math.min(rest, nodes.length - first);
      const read: (Kind | undefined)[] = [];
      for (const node of nodes.slice(first, end)) {
        read.push(readOne(node, yaml, convert, last.known));
        yield;
      }
      const kept = last.entries.slice(last.entries.length - (nodes.length - end));
      const entries: readonly (Entry | undefined)[] = last.entries.slice(0, first).concat(read, kept);
      const hasGaps = (last.hasGaps || read.includes(undefined)) && entries.includes(undefined);
      lists.set(key, { nodes, entries, hasGaps, known: last.known });
      const present = (hasGaps ? entries.filter((entry) => entry !== undefined) : entries) as Kind[];
      // In a list of equal length, only new entries need an index.
      const isSameLength = nodes.length === last.nodes.length && present.length === entries.length;
      number(present, isSameLength ? first : 0, isSameLength ? end : present.length);
      return present;
    },
    originOf: (entry) => origins.get(entry),
  };
}

function number(entries: readonly Entry[], from: number, until: number): void {
  for (let index = from; index < until; index += 1) {
    const entry = entries[index];
    if (entry && entry.index !== index) (entry as { index: number }).index = index;
  }
}

function commonStart(before: readonly Node[], after: readonly Node[]): number {
  const shorter = Math.min(before.length, after.length);
  let count = 0;
  while (count < shorter && before[count] === after[count]) count += 1;
  return count;
}

function commonEnd(before: readonly Node[], after: readonly Node[]): number {
  const shorter = Math.min(before.length, after.length);
  let count = 0;
  while (count < shorter && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}
