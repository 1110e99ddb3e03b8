// Lays out one graph with elkjs and nothing else, with the code that V8 compiled the last time:
// `node elk-alone.mjs elk-worker.min.js graph.json cached-code-file`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

const [programPath, graphPath, cachePath] = process.argv.slice(2);
const require = createRequire(programPath);
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(programPath, 'latin1')}\n})`;
const cachedData = existsSync(cachePath) ? readFileSync(cachePath) : undefined;
const script = new Script(source, { filename: programPath, cachedData });
if (cachedData && script.cachedDataRejected) throw new Error('V8 has rejected the cached code.');
const module = { exports: {} };
script.runInThisContext()(module.exports, require, module, programPath, dirname(programPath));
const Elk = require('elkjs/lib/elk-api.js').default;
const elk = new Elk({ workerFactory: (url) => new module.exports.Worker(url) });
await elk.layout(JSON.parse(readFileSync(graphPath, 'utf8')));
// Functions are compiled when they are first called.
if (!cachedData) writeFileSync(cachePath, script.createCachedData());
