import { getOrigin, type Handler } from '../http/routes.ts';
import { isTerminal } from '../tasks/timeline.ts';
import { getPredictions, toAddresses } from './prediction.ts';
import { refuseUnknown } from './read.ts';

/** `urls.web` of a prediction: for browsers, which send no credential; its address cannot be guessed. */
export const handleWebPage: Handler = (exchange, services) => {
  const id = exchange.req.param('id') ?? '';
  const predictions = getPredictions(services);
  const task = predictions.findById(id) ?? refuseUnknown(id);
  const { phase } = predictions.progressOf(task);
  const files = phase === 'succeeded' ? [toAddresses(getOrigin(exchange), task.work.output)].flat() : [];
  const media = files.map((address) =>
    address.endsWith('.mp4')
      ? `<video src="${address}" controls autoplay loop muted></video>`
      : `<img src="${address}" alt="">`,
  );
  const refresh = isTerminal(phase) ? '' : '<meta http-equiv="refresh" content="1">';
  const page =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">${refresh}<title>Prediction ${id}</title>` +
    '<style>body{font:16px system-ui;margin:2rem;max-width:64rem}img,video{max-width:100%;display:block;margin:1rem 0}</style></head>' +
    `<body><h1>${escapeHtml(task.work.model)}</h1><p>Prediction <code>${id}</code>: <strong>${phase}</strong></p>${media.join('')}</body></html>\n`;
  return exchange.body(page, 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  });
};

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
