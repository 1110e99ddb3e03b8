/** Whether a host is the local machine, without network traffic. A path is a Unix socket. */
export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name) || name.startsWith('/');
}
