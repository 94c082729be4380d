import { createServer } from 'node:http';
import { createInbox } from './inbox.ts';
import { sendJson } from './fake-gateway.ts';
import { serve } from './serve.ts';

interface Attributes {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

export interface SentSpan extends Attributes {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A fake OTLP collector. */
export async function startReceiver() {
  const spans = createInbox<SentSpan>();
  const bodies: string[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      bodies.push(text);
      const body = JSON.parse(text) as {
        resourceSpans: { resource: Attributes; scopeSpans: { spans: SentSpan[] }[] }[];
      };
      for (const { resource, scopeSpans } of body.resourceSpans) {
        resources.push(factsOf(resource));
        for (const scope of scopeSpans) for (const span of scope.spans) spans.push(span);
      }
      sendJson(response, '{}');
    });
  });
  const { url } = await serve(server);
  return {
    url,
    spans: spans.all,
    when: spans.when,
    bodies,
    /** The attributes of the server that sent each batch. */
    resources,
  };
}

export function factsOf({ attributes }: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
