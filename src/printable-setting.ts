import { abbreviate } from './lib/text.ts';

const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.*-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;
const bareHost = /^[\w.*-]+(?::\d{1,5})?$/;

/** An invalid value on one line for the operator, without what a URL may hold of credentials. */
export function toPrintable(name: string, value: string): string {
  // In place of a path, the credential itself.
  if (/_(KEY|TOKEN)_FILE$/.test(name) && !/^\.{0,2}\//.test(value)) return '…';
  const isUrl = /_(URL|ENDPOINT)$/.test(name);
  const printable = isUrl || value.includes('//') ? withoutSecrets(value, isUrl) : value;
  return abbreviate(printable.replaceAll(/\s+/g, ' '), 100);
}

/**
 * Only scheme and host of each URL. A file of settings cuts an unquoted value at `#`, so a password can be in the place of a
 * port: any other form has only its scheme.
 */
function withoutSecrets(value: string, isUrl: boolean): string {
  // Without a scheme, the value of a URL can be a pasted secret.
  if (isUrl && !value.includes('://')) return '…';
  const items = isUrl || value.includes('@') ? [value] : value.split(',');
  return items.map((item) => schemeAndHostOf(item.trim())).join(',');
}

function schemeAndHostOf(text: string): string {
  if (!text.includes('@')) {
    const [start] = schemeAndHost.exec(text) ?? bareHost.exec(text) ?? [];
    if (start !== undefined) return /^\/?$/.test(text.slice(start.length)) ? text : `${start}/…`;
  }
  const [scheme = ''] = /^[a-z][a-z\d+.-]{0,19}:\/\//i.exec(text) ?? [];
  return `${scheme}…`;
}
