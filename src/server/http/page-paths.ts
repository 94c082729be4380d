/** First segments of the addresses inside the playground, such as `/g/{id}` of a generation. */
const views = ['chat', 'create', 'gallery', 'g', 'usage'];

/** Whether a path belongs to the playground. */
export function isPlaygroundPath(path: string): boolean {
  return path === '/' || path.startsWith('/playground/') || views.includes(path.split('/')[1] ?? '');
}
