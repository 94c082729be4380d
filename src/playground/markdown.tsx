import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'react';

// A link in a reply leads away from the page, and tells nobody where it came from.
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (/^(P|H\d|[OU]L|BLOCKQUOTE|TABLE)$/.test(node.tagName)) node.setAttribute('dir', 'auto');
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

// What takes the parser the square of its length is shown as it is: first, emphasis inside of emphasis. Called for each line, too.
const skipMarks = (rest: string, masked: string) =>
  /^[*_~]/.test(rest) && /^(?:[^*_~]*[*_~]){300}/.test(masked) ? undefined : false;
const inlineText = (rest: string) => {
  const [raw] = /^[!-~]{1000,}/.exec(rest) ?? [];
  return raw !== undefined && ({ type: 'text', raw, text: raw, escaped: false } as const);
};
const url = (rest: string) => (/^\S{2000}/.test(rest) ? undefined : false);
const lheading = (rest: string) => (/^(?:.+\n){1,20}? {0,3}[=-]+ *(?:\n|$)/.test(rest) ? false : undefined); // Its underline is near.

const markdown = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { emStrong: skipMarks, del: skipMarks, inlineText, url, lheading },
  renderer: {
    // HTML in a reply is text. The sanitizer never gets to parse it: the policy of the page would report each handler in it.
    html: ({ text }) => escape(text),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // A picture of another site would tell that site who reads the reply: it becomes a link.
    image: ({ href, text }) => `<a href="${href.replaceAll('"', '%22')}">${escape(text) || 'Picture'}</a>`,
  },
});

/** Quotes and lists inside of each other, thousands deep, freeze the page. Their text is shown as it is. */
const tooDeep = /^(?:[ \t]*(?:>|(?:[*+-]|\d+[.)])[ \t])){40}/m;
const render = (text: string) => (tooDeep.test(text) ? escape(text) : markdown.parse(text, { async: false }));
const purified = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ['form', 'input', 'button', 'img', 'audio', 'video', 'style'],
  FORBID_ATTR: ['style', 'id', 'name', 'class', 'src'],
};

/** Text of a model. It may contain anything, so nothing in it can run, submit or restyle the page. */
export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(render(text), purified), [text]);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
