import { failure, type SimulatedAnswer, type SimulatedRequest } from './http-answer.ts';
import { deleteRecord, findRecord, insertRecord, select, tableExists, type Instance } from './instance.ts';
import type { SimulatedRecord } from './demo-data.ts';
import { notFound } from './table-api.ts';

/** `/api/now[/v1]/attachment…`; file contents are stored beside the tables. */
export function attachmentApi(
  instance: Instance,
  files: Map<string, Buffer>,
  request: SimulatedRequest,
  rest: readonly string[],
): SimulatedAnswer {
  const { method, parameters } = request;
  const [first, second] = rest;
  if (first === undefined && method === 'GET') {
    const { records } = select(instance, 'sys_attachment', parameters.get('sysparm_query') ?? '');
    const offset = Number(parameters.get('sysparm_offset') ?? '0');
    const page = records.slice(offset, offset + Number(parameters.get('sysparm_limit') ?? '1000'));
    const result = page.filter((record) => instance.settings.mayRead('sys_attachment', record));
    return { status: 200, headers: { 'X-Total-Count': String(records.length) }, body: { result } };
  }
  if (first === 'file' && method === 'POST') {
    const type = request.headers['content-type'];
    if (type === undefined) return failure(400, 'Content-Type header is required');
    const wanted = Object.fromEntries(parameters);
    return store(instance, files, request, wanted, type, request.body);
  }
  if (first === 'upload' && method === 'POST') return upload(instance, files, request);
  const meta = first === undefined ? undefined : findRecord(instance, 'sys_attachment', first);
  if (!meta || first === undefined) return notFound();
  if (second === 'file' && method === 'GET') {
    const headers = { 'Content-Type': meta['content_type'] ?? '', 'X-Attachment-Metadata': JSON.stringify(meta) };
    return { status: 200, headers, body: files.get(first) ?? Buffer.alloc(0) };
  }
  if (method === 'GET') return { status: 200, body: { result: meta } };
  if (method === 'DELETE') {
    deleteRecord(instance, 'sys_attachment', first);
    files.delete(first);
    return { status: 204 };
  }
  return failure(405, 'Method not supported');
}

function store(
  instance: Instance,
  files: Map<string, Buffer>,
  request: SimulatedRequest,
  wanted: Readonly<Record<string, string>>,
  type: string,
  content: Buffer,
): SimulatedAnswer {
  const { table_name: table, table_sys_id: id, file_name: name } = wanted;
  if (!table || !id || !name) return failure(400, 'table_name, table_sys_id and file_name are required');
  if (!tableExists(instance, table) || !findRecord(instance, table, id)) return notFound();
  const values: SimulatedRecord = {
    table_name: table,
    table_sys_id: id,
    file_name: name,
    content_type: type,
    size_bytes: String(content.length),
    encryption_context: wanted['encryption_context'] ?? '',
    ...(wanted['creation_time'] !== undefined && { sys_created_on: wanted['creation_time'] }),
  };
  const meta = insertRecord(instance, 'sys_attachment', values, request.user);
  const link = `${request.baseUrl}/api/now/attachment/${meta['sys_id']}`;
  meta['download_link'] = `${link}/file`;
  files.set(meta['sys_id'] ?? '', content);
  return { status: 201, headers: { Location: link }, body: { result: meta } };
}

/** Multipart: the file must be the last part. */
function upload(instance: Instance, files: Map<string, Buffer>, request: SimulatedRequest): SimulatedAnswer {
  const boundary = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return failure(400, 'Content-Type must be multipart/form-data with a boundary');
  const parts = request.body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.replace(/^\r\n/, '').split('\r\n\r\n');
      return {
        name: /\bname="([^"]*)"/.exec(head)?.[1] ?? '',
        file: /filename="([^"]*)"/.exec(head)?.[1],
        type: /content-type: *(\S+)/i.exec(head)?.[1] ?? 'application/octet-stream',
        content: Buffer.from(body.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1'),
      };
    });
  const last = parts.at(-1);
  if (!last || last.file === undefined) return failure(400, 'The file must be the last part of the form');
  const fields = Object.fromEntries(parts.slice(0, -1).map(({ name, content }) => [name, content.toString('utf8')]));
  const fileName = Buffer.from(last.file, 'latin1').toString('utf8');
  return store(instance, files, request, { ...fields, file_name: fileName }, last.type, last.content);
}
