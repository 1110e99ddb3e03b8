import { createRequire } from 'node:module';

/**
 * Watches the calls of DuckDB in this process, which Node does not list among what keeps a process alive. Called before
 * DuckDB is loaded.
 * @param {() => string} caller names what calls, such as the running test
 * @returns {() => string[]} the calls that have not ended
 */
export function watchDuckDbCalls(caller) {
  const require = createRequire(import.meta.url);
  const bindings = require('@duckdb/node-bindings');
  const open = new Set();

  function watched(name, call) {
    return (...given) => {
      const result = call(...given);
      if (!(result instanceof Promise)) return result;
      const text = given.find((each) => typeof each === 'string') ?? '';
      const own = { entry: `DuckDB ${name} ${text.slice(0, 200)} (${caller()})` };
      open.add(own);
      const done = () => void open.delete(own);
      result.then(done, done);
      return result;
    };
  }

  // The functions of the addon cannot be replaced, so the module is.
  const functions = Object.getOwnPropertyNames(bindings)
    .filter((name) => typeof bindings[name] === 'function' && name === name.toLowerCase())
    .map((name) => [name, { value: watched(name, bindings[name]) }]);
  require.cache[require.resolve('@duckdb/node-bindings')].exports = Object.create(
    bindings,
    Object.fromEntries(functions),
  );
  return () => [...open].map(({ entry }) => entry);
}
