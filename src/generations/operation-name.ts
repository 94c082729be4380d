/** The operation name of OpenTelemetry's conventions for a kind of generation. Kinds that they do not name keep their own. */
export function operationNameOf(kind: string): string {
  return { CHAT: 'chat', CONTENT: 'generate_content' }[kind] ?? kind.toLowerCase();
}
