// Responds at once: the latency of pipes, messages and the machine without any work.
import { createConnection } from 'vscode-languageserver/node';

const connection = createConnection(process.stdin, process.stdout);
connection.onInitialize(() => ({ capabilities: { hoverProvider: true, textDocumentSync: 2 } }));
connection.onHover(() => null);
connection.listen();
