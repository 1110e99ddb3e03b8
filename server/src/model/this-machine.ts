/** Whether a host is this machine: what is sent to it crosses no network. A path is that of a Unix socket. */
export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name) || name.startsWith('/');
}
