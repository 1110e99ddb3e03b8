import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createTerminal } from '../cli/terminal.ts';
import { serve } from './serve.ts';
import { type Permission, permissions } from './tool.ts';
import { mostLineBytes, wholeLines } from './whole-lines.ts';

/** `entity-graph mcp [DIR] [--allow reach,edit,write]`, without the rest of the command line, which takes memory. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    options: { allow: { type: 'string', multiple: true } },
    allowPositionals: true,
    strict: true,
  });
  const allowed = permissionsIn(values.allow ?? []);
  if (positionals.length > 1) throw new Error(`There is one argument too many: "${positionals[1]}".`);
  const { stdout } = process;
  const input = wholeLines();
  await serve({
    input,
    transport: new StdioServerTransport(input, stdout, { maxBufferSize: 2 * mostLineBytes }),
    folder: positionals[0] ?? '.',
    allowed,
    program: join(__dirname, 'cli.js'),
    environment: process.env,
  });
}

/** Throws for words that are no permission, and for a permission without the one that it needs. */
function permissionsIn(texts: readonly string[]): ReadonlySet<Permission> {
  const words = texts.flatMap((each) => each.split(',')).map((each) => each.trim());
  const allowed = new Set(permissions.filter((each) => words.includes(each)));
  const unknown = words.find((each) => !permissions.some((known) => known === each));
  if (unknown !== undefined) throw new Error(`--allow takes reach, edit and write, with commas, not "${unknown}".`);
  if (allowed.has('write') && !allowed.has('reach'))
    throw new Error('--allow write needs reach, too: --allow reach,write.');
  return allowed;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const { stdout, stderr, env } = process;
    createTerminal(stdout, stderr, env).note(`entity-graph mcp: ${message}`);
    process.exit(2);
  },
);
