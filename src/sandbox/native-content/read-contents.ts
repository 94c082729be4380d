import { describeImage } from '../chat/image-parts.ts';
import type { ChatMessage } from '../chat/request.ts';
import { invalidRequest } from '../http/errors.ts';
import type { MediaLibrary } from '../media/library.ts';
import type { Content, ContentRequest, Part } from './requests.ts';

/** The decoded contents of a request. */
export interface ReadContents {
  /** The texts of the conversation in the form of a chat. */
  readonly messages: ChatMessage[];
  /** The text of the last content. */
  readonly lastText: string;
  /** Descriptions of the inline data in the last content. */
  readonly received: readonly string[];
  /** How many pieces of inline data the request has. */
  readonly attachments: number;
}

/** Reads all inline data; refuses (400) an unreadable image. */
export async function readContents(request: ContentRequest, media: MediaLibrary): Promise<ReadContents> {
  const { contents, systemInstruction } = request;
  const described = await Promise.all(
    contents.map(({ parts }, index) =>
      Promise.all(
        parts.map((part, position) => describePart(part, media, `contents[${index}].parts[${position}]`)),
      ),
    ),
  );
  const received = described.map((texts) => texts.filter((text) => text !== undefined));
  const instruction = systemInstruction ? joinTexts(systemInstruction) : undefined;
  const turns = contents.map((content): ChatMessage => ({
    role: content.role === 'model' ? 'assistant' : 'user',
    content: joinTexts(content),
  }));
  return {
    messages: instruction === undefined ? turns : [{ role: 'system', content: instruction }, ...turns],
    lastText: contents.slice(-1).map(joinTexts).join(''),
    received: received.at(-1) ?? [],
    attachments: received.flat().length,
  };
}

async function describePart(part: Part, media: MediaLibrary, place: string): Promise<string | undefined> {
  const { inline_data: documented, inlineData: fromSdk } = part;
  const { data } = documented ?? fromSdk ?? {};
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, 'base64');
  const type = (documented?.mime_type ?? fromSdk?.mimeType ?? '').toLowerCase();
  if (!type.startsWith('image/')) return `a file of type ${type} with ${bytes.length} bytes`;
  const facts = await media.inspect(bytes);
  if (!facts)
    throw invalidRequest(
      `${place}.${documented ? 'inline_data' : 'inlineData'}.data: not a readable image of at most 8192x8192 pixels`,
    );
  // The container of AVIF is HEIF.
  return describeImage(facts.format === 'heif' ? 'avif' : facts.format, facts);
}

function joinTexts({ parts }: Content): string {
  return parts
    .flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text]))
    .join('\n');
}
