// The process of PGlite, which is PostgreSQL as WebAssembly: it speaks PostgreSQL's protocol over its standard streams. The parent cancels by ending it.
import { PGlite } from '@electric-sql/pglite';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A global of Node.js that its types leave out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const asset = (name: string): Promise<Buffer> => readFile(join(__dirname, name));

async function start(): Promise<PGlite> {
  const [server, initdb, files] = await Promise.all(['pglite.wasm', 'initdb.wasm', 'pglite.data'].map(asset));
  if (!server || !initdb || !files) throw new Error('PGlite is incomplete.');
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([
    WebAssembly.compile(new Uint8Array(server)),
    WebAssembly.compile(new Uint8Array(initdb)),
  ]);
  return PGlite.create({ pgliteWasmModule, initdbWasmModule, fsBundle: new Blob([new Uint8Array(files)]) });
}

const starting = start();
let pending: Buffer = Buffer.alloc(0);
let isStarted = false;
let last: Promise<unknown> = starting;

async function answer(): Promise<void> {
  const { length, rest } = cutMessages(pending, isStarted);
  if (length === 0) return;
  const messages = pending.subarray(0, length);
  pending = rest;
  isStarted = true;
  const database = await starting;
  process.stdout.write(await database.execProtocolRaw(new Uint8Array(messages), { syncToFs: false }));
}

process.stdin.on('data', (bytes: Buffer) => {
  pending = Buffer.concat([pending, bytes]);
  last = last.then(answer).catch(() => process.exit(1));
});
process.stdin.on('end', () => process.exit());

/**
 * The length of the complete messages of PostgreSQL's protocol at the start of some bytes, and what comes after them.
 * @param isStarted whether the first message, which has no type, came before.
 */
function cutMessages(bytes: Buffer, isStarted: boolean): { readonly length: number; readonly rest: Buffer } {
  let length = 0;
  let typeLength = isStarted ? 1 : 0;
  while (bytes.length - length >= typeLength + 4) {
    const end = length + typeLength + bytes.readInt32BE(length + typeLength);
    if (end > bytes.length) break;
    length = end;
    typeLength = 1;
  }
  return { length, rest: bytes.subarray(length) };
}
