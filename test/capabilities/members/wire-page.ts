import { type MemberSource, type RequestMembers } from './request-members.ts';
import { replies } from './replies.ts';
import type { ReplyMembers } from './reply-members.ts';
import { requests } from './requests.ts';

/** The page of wire names, `docs/wire.md`: for each endpoint its members and their fields. */
export function printWirePage(): string {
  const endpoints = [...new Set(requests.map(({ endpoint }) => endpoint))].toSorted(
    (one, other) => one - other,
  );
  return `<!-- Written by "npm run codegen". Do not edit. -->

# Wire names

These tables list the members of the gateway's requests and replies, with the fields of this API that set or return them. \`raw\` of a generation, a task or a voice has the whole reply. A member of a request that has no field here goes into \`extra\`, by its wire name. Tests compare the tables with the requests that the gateway receives and with the fields that show its replies.

${endpoints.map(printEndpoint).join('\n\n')}

See also: [operations](operations.md) · [errors](errors.md)
`;
}

function printEndpoint(endpoint: number): string {
  const forms = requests.filter((request) => request.endpoint === endpoint);
  const answers = replies.filter((reply) => reply.endpoint === endpoint);
  const [{ method, path } = { method: '', path: '' }] = forms;
  const fields = [...new Set(forms.map(({ field }) => `\`${field}\``))].join(', ');
  return [
    `## ${method} ${path}`,
    `Root fields: ${fields}.`,
    table('request member', requestRows(forms)),
    ...(answers.length === 0
      ? ["The gateway's document does not show the reply."]
      : [
          ...(answers.some(({ isDocumented }) => isDocumented)
            ? []
            : ["The gateway's document does not show the reply. Among other shapes, this one is read:"]),
          table('reply member', replyRows(answers)),
        ]),
  ].join('\n\n');
}

type Row = readonly [member: string, field: string];

/** One row per member. Names the root field or the form only where they differ. */
function requestRows(forms: readonly RequestMembers[]): readonly Row[] {
  return [...new Set(forms.flatMap(({ members }) => Object.keys(members)))].map((wire) => {
    const fieldsBySource = new Map<string, readonly string[]>();
    for (const { field, members } of forms) {
      const source = members[wire] === undefined ? undefined : sourceText(members[wire]);
      if (source !== undefined) fieldsBySource.set(source, [...(fieldsBySource.get(source) ?? []), field]);
    }
    const isOne = fieldsBySource.size === 1 || forms.every(({ field }) => field === forms[0]?.field);
    const sources = [...fieldsBySource].map(([source, fields]) =>
      isOne ? source : `${[...new Set(fields)].join(', ')}: ${source}`,
    );
    return [wire, sources.join('<br>')];
  });
}

function replyRows(answers: readonly ReplyMembers[]): readonly Row[] {
  return [...new Set(answers.flatMap(({ members }) => Object.keys(members)))].map((wire) => {
    const fields = answers.flatMap(({ members }) => {
      const field = members[wire];
      return field === undefined ? [] : [field === null ? 'only in `raw`' : `\`${field}\``];
    });
    return [wire, [...new Set(fields)].join('<br>')];
  });
}

function sourceText(source: MemberSource): string {
  if (typeof source === 'string') return `\`${source}\``;
  if ('anyOf' in source) return source.anyOf.map((path) => `\`${path}\``).join(', ');
  if ('by' in source) return `\`${source.by}\``;
  if ('field' in source) return 'decided by the root field';
  if ('always' in source) return `always \`${JSON.stringify(source.always)}\``;
  if ('extra' in source) return `\`${source.extra}\``;
  return `the caller's header \`${source.header}\``;
}

function table(heading: string, rows: readonly Row[]): string {
  return `| ${heading} | field |\n|---|---|\n${rows.map(([member, field]) => `| \`${member}\` | ${field} |`).join('\n')}`;
}
