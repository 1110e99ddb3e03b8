// Answers at once: what a request takes here is what pipes, messages and the machine take of all others.
import { createConnection } from 'vscode-languageserver/node';

const connection = createConnection(process.stdin, process.stdout);
connection.onInitialize(() => ({ capabilities: { hoverProvider: true, textDocumentSync: 2 } }));
connection.onHover(() => null);
connection.listen();
