import { describeImage } from '../chat/image-parts.ts';
import type { ChatMessage } from '../chat/request.ts';
import { invalidRequest } from '../http/errors.ts';
import type { MediaLibrary } from '../media/library.ts';
import type { Content, ContentRequest, Part } from './requests.ts';

/** What was understood of a request's contents. */
export interface ReadContents {
  /** The same conversation in the form of a chat, its texts alone. */
  readonly messages: ChatMessage[];
  /** The text of the last content. */
  readonly lastText: string;
  /** The inline data of the last content, described. */
  readonly received: readonly string[];
  /** How many pieces of inline data there are in all. */
  readonly attachments: number;
}

/** Looks at all inline data; refuses (400) what calls itself an image but is none. */
export async function readContents(request: ContentRequest, media: MediaLibrary): Promise<ReadContents> {
  const { contents, systemInstruction } = request;
  const described: string[][] = [];
  for (const [index, { parts }] of contents.entries()) {
    const descriptions: string[] = [];
    for (const [position, part] of parts.entries()) {
      const attachment = getAttachment(part);
      if (!attachment) continue;
      const member = `contents[${index}].parts[${position}].${part.inlineData ? 'inlineData' : 'inline_data'}`;
      descriptions.push(await describe(attachment, media, member));
    }
    described.push(descriptions);
  }
  const last = contents.at(-1);
  const system: ChatMessage[] = systemInstruction
    ? [{ role: 'system', content: joinTexts(systemInstruction) }]
    : [];
  return {
    messages: [...system, ...contents.map(toMessage)],
    lastText: last ? joinTexts(last) : '',
    received: described.at(-1) ?? [],
    attachments: described.flat().length,
  };
}

interface Attachment {
  readonly mimeType: string;
  readonly data: string;
}

function getAttachment({ inline_data: documented, inlineData: fromSdk }: Part): Attachment | undefined {
  return documented ? { mimeType: documented.mime_type, data: documented.data } : fromSdk;
}

async function describe(
  { mimeType, data }: Attachment,
  media: MediaLibrary,
  member: string,
): Promise<string> {
  const bytes = Buffer.from(data, 'base64');
  const type = mimeType.toLowerCase();
  if (!type.startsWith('image/')) return `a file of type ${type} with ${bytes.length} bytes`;
  const facts = await media.inspect(bytes);
  if (!facts) throw invalidRequest(`${member}.data: not a readable image`);
  const { format, width, height } = facts;
  // The container of AVIF is HEIF.
  return describeImage({ format: format === 'heif' ? 'AVIF' : format.toUpperCase(), width, height });
}

function toMessage(content: Content): ChatMessage {
  return { role: content.role === 'model' ? 'assistant' : 'user', content: joinTexts(content) };
}

function joinTexts({ parts }: Content): string {
  return parts
    .flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text]))
    .join('\n');
}
