import { ConfigError } from './config.ts';

/**
 * What standard error says. Errors that an operator can fix are one line. Defects keep their stack. `ports` are the settings
 * of ports.
 */
export function explainStart(error: unknown, ports = 'PORT (or SANDBOX_PORT)'): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error) {
    const address = 'port' in error ? `port ${String(error.port)}` : 'the port';
    if (error.code === 'EADDRINUSE')
      return `Cannot start: ${address} is in use. Set ${ports} to another port.`;
    if (error.code === 'EACCES')
      return `Cannot start: this user has no permission to use ${address}. Set PORT to another port.`;
    const isOfHost = /^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_\w+)$/.test(String(error.code));
    if (isOfHost && 'syscall' in error && /^(listen|bind|getaddrinfo)$/.test(String(error.syscall)))
      return `Cannot start: HOST is not an address of this machine (${error.message}).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
