import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

// A link in a reply leads away from the page, and tells nobody where it came from.
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/** Text of a model. It may contain anything, so nothing in it can run, submit or restyle the page. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(
    () =>
      DOMPurify.sanitize(marked.parse(text, { async: false, gfm: true, breaks: true }), {
        FORBID_TAGS: ['form', 'input', 'button', 'textarea', 'select', 'style', 'iframe', 'object', 'embed'],
        FORBID_ATTR: ['style', 'id', 'name', 'class'],
      }),
    [text],
  );
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
