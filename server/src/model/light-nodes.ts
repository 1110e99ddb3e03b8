import { Pair, type Range, Scalar, type Schema, YAMLMap, YAMLSeq } from 'yaml';

/**
 * Creates nodes like the library's, except that kind and schema are in a prototype. The library's constructors define
 * both for each node, which takes longer than parsing its text.
 */
interface LightNodes {
  scalar<T>(value: T, range: Range, source: string, type: Scalar.Type): Scalar<T>;
  pair<Key, Value>(key: Key, value: Value): Pair<Key, Value>;
  map(): YAMLMap;
  list(): YAMLSeq;
}

export function lightNodes(schema: Schema): LightNodes {
  class LightScalar {
    constructor(
      readonly value: unknown,
      readonly range: Range,
      readonly source: string,
      readonly type: Scalar.Type,
    ) {}
  }
  class LightPair {
    constructor(
      readonly key: unknown,
      readonly value: unknown,
    ) {}
  }
  class LightMap {
    readonly items: unknown[] = [];
  }
  class LightList {
    readonly items: unknown[] = [];
  }
  inheritAll(LightScalar.prototype, new Scalar(''));
  inheritAll(LightPair.prototype, new Pair(''));
  inheritAll(LightMap.prototype, new YAMLMap(schema));
  inheritAll(LightList.prototype, new YAMLSeq(schema));
  return {
    scalar: <T>(value: T, range: Range, source: string, type: Scalar.Type) =>
      new LightScalar(value, range, source, type) as unknown as Scalar<T>,
    pair: <Key, Value>(key: Key, value: Value) => new LightPair(key, value) as unknown as Pair<Key, Value>,
    map: () => new LightMap() as unknown as YAMLMap,
    list: () => new LightList() as unknown as YAMLSeq,
  };
}

/** Gives a prototype the members that a node inherits, and its non-enumerable own properties. */
function inheritAll(prototype: object, node: object): void {
  // The constructor of the library is inherited.
  Reflect.deleteProperty(prototype, 'constructor');
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(node) as object);
  for (const key of Reflect.ownKeys(node)) {
    const property = Object.getOwnPropertyDescriptor(node, key);
    if (property && !property.enumerable) Object.defineProperty(prototype, key, property);
  }
}
