// The language server program: `main.js --stdio`, or `--node-ipc` as started by VS Code.
import { forgetServerEnvironment } from '../../../protocol/server-process.ts';
import { serve } from './connection.ts';
import { openConnection } from './message-guard.ts';

const transports = ['--stdio', '--node-ipc', '--socket', '--pipe'];

if (process.argv.slice(2).some((argument) => transports.some((transport) => argument.startsWith(transport)))) {
  forgetServerEnvironment(process.env);
  serve(openConnection(process.argv.slice(2)));
} else {
  process.stderr.write('usage: entity-graph language server: main.js --stdio\n');
  process.exitCode = 2;
}
