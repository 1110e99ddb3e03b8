import type { JsonPage } from '../../fetched/record-source.ts';

/** A page that can be taken as it was sent: each of its records has all fields that were asked for, as texts. */
export interface RegularPage extends JsonPage {
  /** The `sys_id` of each record. */
  readonly keys: readonly string[];
}

/** Undefined for a page that is not regular, and has to be read as JSON. */
export type RegularPageReader = (text: string) => RegularPage | undefined;

const start = '{"result":[';

/** Characters: what is larger is taken in pieces. */
const mostCharacters = 1024 * 1024;

/**
 * Recognises regular pages by one expression for a whole record. That takes a fifth of the time of reading them as JSON, and leaves no
 * values behind that live but a moment.
 * @param fields those that are asked for, `sys_id` among them
 */
export function regularPageReader(fields: readonly string[]): RegularPageReader {
  const isWanted = new Set(fields);
  const expressions = new Map<string, RegExp>();

  /** An instance sends the fields of all records in one order, which is its own. */
  function recordLike(first: string): RegExp | undefined {
    const names = Array.from(first.matchAll(/[{,]"([\w.]+)":"/g), ([, name = '']) => name);
    const order = names.join();
    if (names.length !== isWanted.size || !names.every((name) => isWanted.has(name))) return undefined;
    const known = expressions.get(order) ?? recordExpression(names);
    expressions.set(order, known);
    return known;
  }

  return (text) => {
    if (text.length > mostCharacters || !text.startsWith(start)) return undefined;
    const record = recordLike(text.slice(start.length, text.indexOf('"}', start.length) + 1));
    if (!record) return undefined;
    const keys: string[] = [];
    for (record.lastIndex = start.length; ;) {
      const [, key, behind] = record.exec(text) ?? [];
      if (key === undefined) return undefined;
      keys.push(key);
      if (behind !== ',') return { text, keys, records: keys.length };
    }
  };
}

/** JSON's own signs but for control characters, which JSON does not allow either, and halves of characters, which DuckDB does not take. */
const plain = String.raw`[^"\\\u0000-\u001f]`;
const value = String.raw`${plain}*(?:\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4})${plain}*)*`;

/** A record with these fields, then a comma or the end of the page. */
function recordExpression(names: readonly string[]): RegExp {
  const pairs = names.map((name) => `"${name.replaceAll('.', '\\.')}":"${name === 'sys_id' ? `(${plain}+)` : value}"`);
  return new RegExp(String.raw`\{${pairs.join(',')}\}(,|\]\}$)`, 'y');
}
