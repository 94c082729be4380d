import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'react';

// A link in a reply leads away from the page, and tells nobody where it came from.
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

// A picture of another site would tell that site who reads the reply: it becomes a link.
const markdown = new Marked({
  gfm: true,
  breaks: true,
  renderer: { image: ({ href, text }) => `<a href="${encodeURI(href)}">${text || 'Picture'}</a>` },
});
const forbidden =
  'form input button textarea select style iframe object embed img picture audio video source';

/** Text of a model. It may contain anything, so nothing in it can run, submit or restyle the page. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(
    () =>
      DOMPurify.sanitize(markdown.parse(text, { async: false }), {
        USE_PROFILES: { html: true },
        FORBID_TAGS: forbidden.split(' '),
        FORBID_ATTR: ['style', 'id', 'name', 'class', 'src', 'background'],
      }),
    [text],
  );
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
